import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReportColumn, ReportFormat } from "@reports/core/report";
import ExcelJS from "exceljs";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { expect, onTestFinished, test } from "vitest";
import { selectLinkAndCurrencyKeys } from "./group-rows.ts";
import { pdfRenderer } from "./pdf/pdf.ts";
import { hasOpenxmlAudit, hasQpdf, runPythonProgram } from "./readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "./rows.fixture.ts";
import { createXlsxRenderer } from "./xlsx/xlsx.ts";

const [ticket, state, url] = createTestColumns({ ticket: "text", state: "text", url: "text" }) as [
  ReportColumn,
  ReportColumn,
  ReportColumn,
];
const linked: readonly ReportColumn[] = [{ ...ticket, link: { column: "url" } }, state, url];
const hostile = ["javascript:alert(1)", "http://example.com/", "https://user:secret@example.com/", "x y"];
const wire = [
  `T-1,OPEN,https://example.com/1?a=(b)&c=<d>`,
  `T-2,OPEN,"https://example.com/""2"""`,
  ...hostile.map((text) => `T-3,OPEN,${text}`),
  `,OPEN,https://example.com/no-ticket`,
  `"",OPEN,https://example.com/empty-ticket`,
  `T-4,,`,
  "",
].join("\n");
const expected = ["https://example.com/1?a=(b)&c=%3Cd%3E", "https://example.com/%222%22"];

function fileOf(bytes: Buffer, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "links-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function readPdfLinks(bytes: Buffer): Promise<unknown[]> {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS }).promise;
  const links: unknown[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const annotations = await (await document.getPage(number)).getAnnotations();
    links.push(...annotations.flatMap(({ url: to }: { readonly url?: string }) => (to === undefined ? [] : [to])));
  }
  await document.loadingTask.destroy();
  return links;
}

async function readXlsxLinks(bytes: Buffer): Promise<Record<string, string>> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(bytes as unknown as ArrayBuffer);
  const links: Record<string, string> = {};
  for (const sheet of book.worksheets.slice(1)) {
    sheet.eachRow((row) => {
      row.eachCell((cell) => {
        if (cell.hyperlink) links[`${sheet.name}!${cell.address}`] = cell.hyperlink;
      });
    });
  }
  return links;
}

const withoutUrls = { columns: ["ticket", "state"] };

test.each([true, false])(
  "a pdf links values to https URLs without showing the URLs (tagged: %s)",
  async (accessible) => {
    const options = { format: "pdf", accessible, ...withoutUrls } as const;
    const { bytes } = await renderToBuffer(pdfRenderer, createTestRows(linked, wire), { options });
    expect(await readPdfLinks(bytes)).toEqual(expected);
    if (hasQpdf) execFileSync("qpdf", ["--check", fileOf(bytes, "links.pdf")]);
  },
);

test("each link of a tagged pdf is a Link in a cell, with its text and its annotation", async () => {
  const options = { format: "pdf", accessible: true, ...withoutUrls } as const;
  const { bytes } = await renderToBuffer(pdfRenderer, createTestRows(linked, wire), { options });
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: VerbosityLevel.ERRORS }).promise;
  const tree = JSON.stringify(await (await document.getPage(1)).getStructTree());
  await document.loadingTask.destroy();
  const link =
    /\{"role":"TD","children":\[\{"role":"Link","children":\[\{"type":"content",[^}]*\},\{"type":"annotation"/g;
  expect(tree.match(link)).toHaveLength(expected.length);
});

test("xlsx links cells to https URLs even if the report omits the column of the URLs", async () => {
  const { bytes } = await renderToBuffer(createXlsxRenderer({ rowsPerSheet: 1000 }), createTestRows(linked, wire), {
    options: { format: "xlsx", ...withoutUrls },
  });
  expect(await readXlsxLinks(bytes)).toEqual({ "Fixture!A2": expected[0], "Fixture!A3": expected[1] });
  if (!hasOpenxmlAudit) return;
  const program = `
import json,sys
from openxml_audit import OpenXmlValidator
result = OpenXmlValidator().validate(sys.argv[1])
print(json.dumps([e.description for e in result.errors if 'inline-string' not in e.description]))`;
  expect(await runPythonProgram(program, fileOf(bytes, "links.xlsx"))).toEqual([]);
});

test("a column of URLs can link to its own values in pdf and in every xlsx sheet", async () => {
  const own = [{ ...url, link: { column: "url" } }];
  const rows = Array.from({ length: 5 }, (_, row) => `https://example.com/${row}\n`).join("");
  const { bytes } = await renderToBuffer(createXlsxRenderer({ rowsPerSheet: 3 }), createTestRows(own, rows), {
    options: { format: "xlsx", columns: ["url"] },
  });
  expect(Object.keys(await readXlsxLinks(bytes))).toEqual([
    "Fixture!A2",
    "Fixture!A3",
    "Fixture!A4",
    "Fixture 2!A2",
    "Fixture 2!A3",
  ]);
  const pdf = await renderToBuffer(pdfRenderer, createTestRows(own, rows), {
    options: { format: "pdf", columns: ["url"] },
  });
  expect(await readPdfLinks(pdf.bytes)).toHaveLength(5);
});

test("an xlsx sheet has at most 65,530 links, and one warning counts the others", async () => {
  const rows = Array.from({ length: 65_600 }, (_, row) => `T-${row},,https://example.com/${row}\n`).join("");
  const renderer = createXlsxRenderer({ rowsPerSheet: 100_000 });
  const { bytes, warnings } = await renderToBuffer(renderer, createTestRows(linked, rows), {
    options: { format: "xlsx", ...withoutUrls },
  });
  expect(warnings).toEqual([
    { code: "LINKS_OMITTED", message: expect.stringMatching(/^70 values are texts without a link/) },
  ]);
  const program = `
import json,re,sys,zipfile
sheet = zipfile.ZipFile(sys.argv[1]).read("xl/worksheets/sheet2.xml").decode()
print(json.dumps([len(re.findall("<hyperlink ", sheet)), len(re.findall(' s="27"', sheet))]))`;
  expect(await runPythonProgram(program, fileOf(bytes, "many.xlsx"))).toEqual([65_530, 65_530]);
});

test.each<[ReportFormat, readonly string[], readonly string[]]>([
  ["pdf", ["ticket"], ["url"]],
  ["xlsx", ["ticket", "url"], []],
  ["xlsx", ["state"], []],
  ["csv", ["ticket"], []],
  ["json", ["ticket"], []],
])("for links, a %s file of the columns %s also reads the columns %s", (format, columns, expectedKeys) => {
  expect(selectLinkAndCurrencyKeys({ format, columns: [...columns], groupBy: null }, { columns: linked })).toEqual(
    expectedKeys,
  );
});
