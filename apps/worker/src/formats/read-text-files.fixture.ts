import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  builtInReportTypes,
  type Compression,
  type FoldedRowStream,
  type ReportColumn,
  type ReportTypeDefinition,
  type RowStream,
} from "@reports/core/report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCompressedSink } from "../renderer/compressed-sink.ts";
import {
  columnsOfEveryKind,
  everyValueRows,
  everyValueTimezone,
  type JsonCell,
  buildEveryValueWire,
} from "./every-value.fixture.ts";
import { openGeneratedRows } from "./generated-report.fixture.ts";
import { loadRenderer } from "./load-renderer.ts";
import { renderToBuffer, createTestDefinition, createTestRows } from "./rows.fixture.ts";
import { buildTextFileName, textReaders, type TextFormat, type TextReader } from "./text-readers.fixture.ts";

const generatedRowCount = 60;
const expectedRows = everyValueRows.map(({ json }) => json);

export function declareTextReaderTests(programs: TextReader["program"]): void {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "text-readers-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function writeRows(
    rows: RowStream | FoldedRowStream,
    definition: ReportTypeDefinition,
    how: { readonly format: TextFormat; readonly compression?: Compression; readonly csvBom?: boolean },
  ): Promise<string> {
    const { format, compression = "none", csvBom = true } = how;
    const renderer = await loadRenderer(format, { formulaGuard: true });
    const { bytes } = await renderToBuffer(renderer, rows as RowStream, {
      definition,
      options: { format, csvBom, timezone: everyValueTimezone },
    });
    const path = join(folder, buildTextFileName(definition.type, format, compression));
    const written: Buffer[] = [];
    const sink = createCompressedSink(
      { write: async (part) => void written.push(Buffer.from(part)), overwrite: async () => undefined },
      compression,
    );
    await sink.write(bytes);
    await sink.finish();
    writeFileSync(path, Buffer.concat(written));
    return path;
  }

  async function writeGenerated(definition: ReportTypeDefinition, format: TextFormat): Promise<string> {
    const rows = await openGeneratedRows(definition, { count: generatedRowCount, timezone: everyValueTimezone });
    return writeRows(rows, definition, { format });
  }

  /** Removes the formula guard's apostrophes from a cell, as docs/reference/spreadsheet-files.md tells programs to do. */
  function unguarded(cell: string): string {
    return cell.replaceAll(/(^'(?=[ '"]*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])'(?=[ '"]*[=+\-@＝＋－＠]))/g, "");
  }

  function csvCell(cell: JsonCell): string | null {
    if (cell === null) return null;
    return typeof cell === "object" ? cell.map((element) => element ?? "").join("; ") : String(cell);
  }

  /** Removes differences between rows that this csv reader cannot see, such as null and the empty text. */
  function comparableCsv(
    rows: readonly (readonly unknown[])[],
    { hasNoNull = false, hasNoCr = false }: TextReader,
  ): unknown {
    return rows.map((row) =>
      row.map((cell) => {
        const text = cell === null && hasNoNull ? "" : (cell as string | null);
        return hasNoCr ? (text?.replaceAll(/\r\n?/g, "\n") ?? null) : text;
      }),
    );
  }

  function withoutGuards(rows: readonly (readonly unknown[])[], columns: readonly ReportColumn[]): unknown[][] {
    const isGuarded = columns.map(({ kind }) => kind === "text" || kind === "list");
    return rows.map((row) =>
      row.map((cell, at) => (isGuarded[at] && typeof cell === "string" ? unguarded(cell) : cell)),
    );
  }

  describe.each(selectReaders("csv", programs))("csv read by %s", (_, reader) => {
    const cases = reader.compressions.flatMap((compression) =>
      [true, false].map((csvBom) => [compression, csvBom ? "with" : "without", csvBom] as const),
    );
    it.runIf(reader.isInstalled).each(cases)(
      "csv has every extreme value in its cell (compression %s, %s a byte order mark)",
      async (compression, _, csvBom) => {
        const path = await writeRows(
          createTestRows(columnsOfEveryKind, buildEveryValueWire()),
          createTestDefinition(columnsOfEveryKind),
          {
            format: "csv",
            compression,
            csvBom,
          },
        );
        const rows = withoutGuards(await reader.read(path, columnsOfEveryKind), columnsOfEveryKind);
        expect(comparableCsv(rows, reader)).toEqual(
          comparableCsv(
            expectedRows.map((row) => row.map(csvCell)),
            reader,
          ),
        );
      },
    );

    it.runIf(reader.isInstalled).each(builtInReportTypes.map((definition) => [definition.type, definition] as const))(
      "a csv of the type %s has the values of its json",
      async (_, definition) => {
        const json = await writeGenerated(definition, "json");
        const path = await writeGenerated(definition, "csv");
        const { columns } = definition;
        const found = (await textReaders.json["JSON.parse"]!.read(json, columns)) as JsonCell[][];
        const values = found.map((row) => row.map(csvCell));
        expect(values).toHaveLength(generatedRowCount);
        const rows = withoutGuards(await reader.read(path, columns), columns);
        expect(comparableCsv(rows, reader)).toEqual(comparableCsv(values, reader));
      },
    );
  });

  describe.each(
    (["json", "ndjson"] as const).flatMap((format) =>
      selectReaders(format, programs).map(([name, reader]) => [format, name, reader] as const),
    ),
  )("%s read by %s", (format, _, reader) => {
    it.runIf(reader.isInstalled).each(reader.compressions)(
      "a text file has every extreme value in its cell (compression %s)",
      async (compression) => {
        const path = await writeRows(
          createTestRows(columnsOfEveryKind, buildEveryValueWire()),
          createTestDefinition(columnsOfEveryKind),
          {
            format,
            compression,
          },
        );
        expect(await reader.read(path, columnsOfEveryKind)).toEqual(expectedRows);
      },
    );

    it.runIf(reader.isInstalled).each(builtInReportTypes.map((definition) => [definition.type, definition] as const))(
      "a text file of the type %s has the values that JSON.parse finds in its json",
      async (_, definition) => {
        const { columns } = definition;
        const values = await textReaders.json["JSON.parse"]!.read(await writeGenerated(definition, "json"), columns);
        expect(values).toHaveLength(generatedRowCount);
        expect(await reader.read(await writeGenerated(definition, format), columns)).toEqual(values);
      },
    );
  });
}

function selectReaders(format: TextFormat, programs: TextReader["program"]): [string, TextReader][] {
  return Object.entries(textReaders[format]).filter(([, { program }]) => program === programs);
}
