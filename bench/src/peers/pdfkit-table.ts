import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import PdfDocument from "pdfkit";

/** Writes tab-separated rows as a pdf table with pdfkit: embedded font, clipped cells, page numbers. Arguments: file of the rows, pdf path. */
const [rows = "", path = ""] = process.argv.slice(2);
const font = import.meta.resolve("@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf");
const margin = 28;
const lineHeight = 10;
const document = new PdfDocument({ size: "A4", layout: "landscape", margin, bufferPages: true });
const file = createWriteStream(path);
document.pipe(file);
document.font(fileURLToPath(font)).fontSize(6);
const bottom = document.page.height - 40;
let y = margin;
for await (const line of createInterface({ input: createReadStream(rows) })) {
  const cells = line.split("\t");
  if (y > bottom) {
    document.addPage();
    y = margin;
  }
  const width = (document.page.width - 2 * margin) / cells.length;
  for (const [column, cell] of cells.entries()) {
    const box = { width: width - 2, height: lineHeight, lineBreak: false, ellipsis: true };
    document.text(cell === "\\N" ? "–" : cell, margin + column * width, y, box);
  }
  y += lineHeight;
}
const { count } = document.bufferedPageRange();
for (let page = 0; page < count; page++) {
  document.switchToPage(page);
  document.text(`page ${page + 1} of ${count}`, margin, document.page.height - 30, { lineBreak: false });
}
document.end();
await once(file, "finish");
