import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  builtInReportTypes,
  type FoldedRowStream,
  type ReportTypeDefinition,
  type RowStream,
} from "@reports/core/report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columnsOfEveryKind, everyValueRows, everyValueTimezone, buildEveryValueWire } from "../every-value.fixture.ts";
import { openGeneratedRows } from "../generated-report.fixture.ts";
import { renderToBuffer, createTestDefinition, createTestRows } from "../rows.fixture.ts";
import { createXlsxRenderer } from "./xlsx.ts";
import { addZoneToTitles } from "./zone-in-title.ts";
import {
  workbookReaders,
  type CellFromReader,
  type WorkbookFromReader,
  type WorkbookReader,
} from "./workbook-readers.fixture.ts";

const rowsPerSheet = 27;
const rowCount = 60;
const timezone = everyValueTimezone;

export function declareWorkbookReaderTests(runsIn: WorkbookReader["runsIn"]): void {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "workbook-readers-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const written = new Map<string, Promise<string>>();

  async function writeWorkbook(
    definition: ReportTypeDefinition,
    openRows: () => RowStream | Promise<FoldedRowStream>,
  ): Promise<string> {
    const write = async (): Promise<string> => {
      const rows = (await openRows()) as RowStream;
      const renderer = createXlsxRenderer({ rowsPerSheet });
      const { bytes } = await renderToBuffer(renderer, rows, { definition, options: { timezone } });
      const path = join(folder, `${definition.type}.xlsx`);
      writeFileSync(path, bytes);
      return path;
    };
    return written.get(definition.type) ?? written.set(definition.type, write()).get(definition.type)!;
  }

  async function writeExtremes(): Promise<string> {
    return writeWorkbook(createTestDefinition(columnsOfEveryKind), () =>
      createTestRows(columnsOfEveryKind, buildEveryValueWire(rowCount)),
    );
  }

  async function writeGenerated(definition: ReportTypeDefinition): Promise<string> {
    return writeWorkbook(definition, async () => openGeneratedRows(definition, { count: rowCount, timezone }));
  }

  function comparable(book: WorkbookFromReader, like: WorkbookFromReader, reader: WorkbookReader): unknown {
    const { showsTextOnly = false, decodesTwice = false } = reader;
    return Object.entries(like).map(([name, rows]) => [
      name,
      (showsTextOnly ? rows : (book[name] ?? [])).map((row, at) =>
        row.map((cell, column) => {
          const found = book[name]?.[at]?.[column] ?? null;
          if (showsTextOnly) return textOf(found, cell);
          return decodesTwice && typeof found === "string" ? found.replaceAll("&amp;", "&") : found;
        }),
      ),
    ]);
  }

  /**
   * Converts a cell of a reader that returns only texts, to compare it with `like`. Numbers and times are compared only by presence, because
   * readers format them. CR becomes LF.
   */
  function textOf(found: CellFromReader, like: CellFromReader): CellFromReader | boolean {
    if (typeof like === "number" || /^\d{4}-\d\d-\d\dT/.test(String(like))) return found !== null;
    return found === null ? null : String(found).replaceAll(/\r\n?/g, "\n");
  }

  describe.each(Object.entries(workbookReaders).filter(([, reader]) => reader.runsIn === runsIn))(
    "workbooks read by %s",
    (_, reader) => {
      it.runIf(reader.isInstalled)("a workbook of extreme values has every value in its cell", async () => {
        const book = await reader.read(await writeExtremes());
        const cells = Array.from({ length: rowCount }, (_, at) => everyValueRows[at % everyValueRows.length]!.sheet);
        const header = addZoneToTitles(columnsOfEveryKind, timezone).map(({ title }) => title);
        const expected: WorkbookFromReader = {
          Fixture: [header, ...cells.slice(0, rowsPerSheet)],
          "Fixture 2": [header, ...cells.slice(rowsPerSheet, 2 * rowsPerSheet)],
          "Fixture 3": [header, ...cells.slice(2 * rowsPerSheet)],
        };
        expect(comparable(book, expected, reader)).toEqual(comparable(expected, expected, reader));
        expect(Object.keys(book)).toHaveLength(4);
      });

      it.runIf(reader.isInstalled).each(builtInReportTypes.map((definition) => [definition.type, definition] as const))(
        "a workbook of the type %s has the cells that SheetJS finds",
        async (_, definition) => {
          const path = await writeGenerated(definition);
          const expected = await workbookReaders["SheetJS"]!.read(path);
          expect(Object.keys(expected).length).toBeGreaterThan(3);
          const book = await reader.read(path);
          expect(comparable(book, expected, reader)).toEqual(comparable(expected, expected, reader));
        },
      );
    },
  );
}
