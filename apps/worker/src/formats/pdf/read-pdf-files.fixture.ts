import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInReportTypes, type ReportTypeDefinition, type RowStream } from "@reports/core/report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columnsOfEveryKind, everyValueRows, everyValueTimezone, buildEveryValueWire } from "../every-value.fixture.ts";
import { openGeneratedRows } from "../generated-report.fixture.ts";
import { hasPdftotext, hasQpdf } from "../readers.fixture.ts";
import { emptySummary, renderToBuffer, createTestDefinition, createTestRows } from "../rows.fixture.ts";
import { pdfRenderer } from "./pdf.ts";
import { type PdfCells, type PdfReader, pdfReaders } from "./pdf-readers.fixture.ts";

const generatedRowCount = 20;

const expectedRows = [
  [
    "plain",
    "1",
    "2",
    "12.500000000000000000",
    "50.00%",
    "1.0 kB",
    "Yes",
    "25 Nov 2026, 12:00",
    "25 Nov 2026",
    "a, b",
    "1 d 2 h 03 min 04.5 s",
    "08:30:15",
  ],
  columnsOfEveryKind.map(() => "–"),
  [
    "_x0041_",
    "-5",
    "9,007,199,254,740,993",
    "-0.0000000000000000000001",
    "100.00%",
    "0 B",
    "No",
    "25 Nov 2026, 23:59",
    "1 Mar 1900",
    "",
    "-1 h 30 min",
    "23:59:59",
  ],
  [
    "=1+1",
    "0",
    "-9,223,372,036,854,775,808",
    "100,000,000,000,000,000,000.00",
    "12.35%",
    "1.0 TB",
    "Yes",
    "31 Dec 9999, 23:59",
    "31 Dec 9999",
    "x y, –",
    "4,166 d 16 h",
    "24:00",
  ],
  [
    '日本語 <&> "quoted" 🙂',
    "7",
    "–",
    "NaN",
    "0.00%",
    "1 B",
    "No",
    "infinity",
    "0044-03-15 BC",
    "_x000D_",
    "0 s",
    "00:00",
  ],
];

export function declarePdfReaderTests(programs: PdfReader["program"]): void {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "pdf-readers-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const written = new Map<string, Promise<string>>();

  async function writeOnce(type: string, accessible: boolean, write: (path: string) => Promise<void>): Promise<string> {
    const path = join(folder, `${type}-${accessible ? "tagged" : "untagged"}.pdf`);
    const writing = written.get(path) ?? write(path).then(() => path);
    written.set(path, writing);
    return writing;
  }

  async function writePdf(
    path: string,
    rows: RowStream,
    definition: ReportTypeDefinition,
    accessible: boolean,
  ): Promise<void> {
    const { bytes } = await renderToBuffer(pdfRenderer, rows, {
      definition,
      options: { format: "pdf", accessible, timezone: everyValueTimezone },
    });
    writeFileSync(path, bytes);
  }

  async function writeExtremes(accessible = true): Promise<string> {
    const definition = createTestDefinition(columnsOfEveryKind);
    return writeOnce(definition.type, accessible, async (path) =>
      writePdf(path, createTestRows(columnsOfEveryKind, buildEveryValueWire()), definition, accessible),
    );
  }

  async function writeGenerated(definition: ReportTypeDefinition, accessible = true): Promise<string> {
    return writeOnce(definition.type, accessible, async (path) => {
      const rows = await openGeneratedRows(definition, { count: generatedRowCount, timezone: everyValueTimezone });
      // A pdf shows its summary first, so its renderer needs a summary that is not folded.
      await writePdf(path, { ...rows, summary: emptySummary, rowsTotal: generatedRowCount }, definition, accessible);
    });
  }

  const builtIn = builtInReportTypes.map((definition) => [definition.type, definition] as const);
  function leftToRight(cells: PdfCells): PdfCells {
    return cells.map((row) =>
      row.map((cell) => (/[\p{Script=Hebrew}\p{Script=Arabic}\u200B]/u.test(cell) ? "" : cell)),
    );
  }

  const withoutSpace = (text: string): string => text.replaceAll(/\s/g, "");

  describe.each(Object.entries(pdfReaders).filter(([, { program }]) => program === programs))(
    "pdf files read by %s",
    (_, reader) => {
      it.runIf(reader.isInstalled)("a pdf has every extreme value in its cell", async () => {
        const [header, ...rows] = await reader.cells(await writeExtremes());
        expect(header).toEqual(columnsOfEveryKind.map(({ title }) => title));
        expect(rows.slice(0, expectedRows.length)).toEqual(expectedRows);
        expect(rows.filter(([first]) => first !== "Title of text")).toHaveLength(everyValueRows.length);
      });
    },
  );

  describe.runIf(programs === "other" && hasPdftotext)("poppler and pdf.js", () => {
    it("poppler and pdf.js find the same cells in a table of extreme values", async () => {
      const path = await writeExtremes();
      const [cells, others] = [await pdfReaders["poppler"]!.cells(path), await pdfReaders["pdf.js"]!.cells(path)];
      expect(leftToRight(others)).toEqual(leftToRight(cells));
    });

    it.each(builtIn)("poppler and pdf.js find the same cells in a report of the type %s", async (_, definition) => {
      const path = await writeGenerated(definition);
      const cells = await pdfReaders["poppler"]!.cells(path);
      expect(cells.length).toBeGreaterThan(generatedRowCount);
      const others = await pdfReaders["pdf.js"]!.cells(path);
      expect(leftToRight(others)).toEqual(leftToRight(cells));
    });

    it("poppler and pdf.js find the text of every cell in an untagged document", async () => {
      const tagged = await pdfReaders["poppler"]!.cells(await writeExtremes());
      const cells = leftToRight(tagged).flat().map(withoutSpace);
      const path = await writeExtremes(false);
      for (const { text } of Object.values(pdfReaders)) {
        const found = await text(path);
        expect(cells.filter((cell) => !found.includes(cell))).toEqual([]);
      }
    });
  });

  describe.runIf(programs === "other" && hasQpdf)("qpdf", () => {
    it.each([true, false])("qpdf finds no error in a document of extreme values (tagged %s)", async (accessible) => {
      const path = await writeExtremes(accessible);
      // qpdf exits with 2 for errors and 3 for warnings, so that this call throws.
      expect(execFileSync("qpdf", ["--check", path], { encoding: "utf8" })).toContain(
        "No syntax or stream encoding errors",
      );
    });

    it.each(builtIn)("qpdf finds no error in a report of the type %s", async (_, definition) => {
      const path = await writeGenerated(definition);
      expect(execFileSync("qpdf", ["--check", path], { encoding: "utf8" })).toContain(
        "No syntax or stream encoding errors",
      );
    });
  });
}
