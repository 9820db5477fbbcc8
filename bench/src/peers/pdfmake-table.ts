import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pdfmake from "pdfmake";

/** Writes tab-separated rows as a pdf table with pdfmake: embedded font, repeated header, page numbers. Arguments: file of the rows, pdf path. */
const [rows = "", path = ""] = process.argv.slice(2);
const font = fileURLToPath(import.meta.resolve("@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf"));
const body = readFileSync(rows, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));
const columns = body[0]?.length ?? 0;
pdfmake.setFonts({ Noto: { normal: font, bold: font, italics: font, bolditalics: font } });
pdfmake.setLocalAccessPolicy(() => true);
pdfmake.setUrlAccessPolicy(() => false);
await pdfmake
  .createPdf({
    pageSize: "A4",
    pageOrientation: "landscape",
    pageMargins: 28,
    defaultStyle: { font: "Noto", fontSize: 5 },
    footer: (page, pages) => `page ${page} of ${pages}`,
    content: [
      { layout: "noBorders", table: { headerRows: 1, widths: Array.from({ length: columns }, () => "*"), body } },
    ],
  })
  .write(path);
