import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInReportTypes, type ColumnKind, type ReportFormat } from "@reports/core/report";
import { assert, asyncProperty, constantFrom, string } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCsvRenderer } from "./csv.ts";
import { formulaTexts, harmless, live, toBareWire, toQuotedWire, toWireList } from "./csv-formulas.fixture.ts";
import { loadRenderer } from "../load-renderer.ts";
import { hasOpenpyxl, hasPython, runPythonProgram } from "../readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";

/** Cells of the kinds that are not text. The guard must not change them: their leading minus belongs to a number. */
const others: Partial<Record<ColumnKind, { readonly wire: string; readonly csv: string; readonly xlsx: unknown }>> = {
  integer: { wire: "-1", csv: "-1", xlsx: -1 },
  bigint: { wire: "-9223372036854775808", csv: "-9223372036854775808", xlsx: "-9223372036854775808" },
  decimal: { wire: "-0.10", csv: "-0.10", xlsx: -0.1 },
  ratio: { wire: "-0.05", csv: "-0.05", xlsx: -0.05 },
  bytes: { wire: "-1500", csv: "-1500", xlsx: -1500 },
  boolean: { wire: "t", csv: "true", xlsx: "Yes" },
  timestamp: { wire: "2026-11-21 01:02:03+00", csv: "2026-11-21T01:02:03+00:00", xlsx: expect.anything() },
};

/** Repeats the guard's rule independently: an apostrophe before each possible formula, at the start of the cell or after a separator. */
const guarded = (text: string) =>
  text.replaceAll(/(^(?=[ '"]*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=[ '"]*[=+\-@＝＋－＠]))/g, "'");
const unguarded = (cell: string) =>
  cell.replaceAll(/(^'(?=[ '"]*[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])'(?=[ '"]*[=+\-@＝＋－＠]))/g, "");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "formulas-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.each(builtInReportTypes.map((definition) => [definition.type, definition] as const))(
  "formulas in the texts of a %s report",
  (type, definition) => {
    const { columns } = definition;

    /** Renders every payload in every text column, one row per payload. List columns contain the payload alone and before another element. */
    async function render(format: ReportFormat): Promise<string> {
      const rows = formulaTexts.map((payload) =>
        columns
          .map(({ kind }) => {
            if (kind === "text") return toQuotedWire(payload);
            return kind === "list" ? toWireList(payload, "=2") : others[kind]!.wire;
          })
          .join(","),
      );
      const renderer = await loadRenderer(format, { formulaGuard: true });
      const { bytes } = await renderToBuffer(renderer, createTestRows(columns, `${rows.join("\n")}\n`), {
        options: { format },
      });
      const path = join(folder, `${type}.${format}`);
      writeFileSync(path, bytes);
      return path;
    }

    it.runIf(hasPython)("csv adds an apostrophe where a formula could begin, and changes nothing else", async () => {
      const program = `
import csv,json,sys
print(json.dumps(list(csv.reader(open(sys.argv[1], encoding='utf-8', newline=''), strict=True))))`;
      expect(live.filter((text) => guarded(text) === text)).toEqual([]);
      expect(harmless.filter((text) => guarded(text) !== text)).toEqual([]);
      expect(await runPythonProgram(program, await render("csv"))).toEqual([
        columns.map(({ key }) => key),
        ...formulaTexts.map((payload) =>
          columns.map(({ kind }) => {
            if (kind === "text") return guarded(payload);
            return kind === "list" ? guarded(`${payload}; =2`) : others[kind]!.csv;
          }),
        ),
      ]);
    });

    it.runIf(hasOpenpyxl)("xlsx keeps every text unchanged in a text cell and contains no formula", async () => {
      const program = `
import json,sys,openpyxl
from openpyxl.utils.escape import unescape
sheet = openpyxl.load_workbook(sys.argv[1])['Fixture']
show = lambda c: unescape(c.value) if isinstance(c.value, str) else str(c.value) if c.is_date else c.value
print(json.dumps([[[c.data_type, show(c)] for c in row] for row in sheet.iter_rows(min_row=2)]))`;
      const cells = (await runPythonProgram(program, await render("xlsx"))) as readonly (readonly [
        string,
        unknown,
      ])[][];
      expect(cells.map((row) => row.map(([, value]) => value))).toEqual(
        formulaTexts.map((payload) =>
          columns.map(({ kind }) => {
            if (kind === "text") return payload;
            return kind === "list" ? `${payload}; =2` : others[kind]!.xlsx;
          }),
        ),
      );
      const typesOf = (isText: boolean) =>
        new Set(
          cells.flatMap((row) =>
            row.filter((_, index) => ["text", "list"].includes(columns[index]!.kind) === isText).map(([type]) => type),
          ),
        );
      expect([...typesOf(true)]).toEqual(["s"]);
      expect([...typesOf(false)]).not.toContain("f");
    });
  },
);

const anyText = string({ unit: constantFrom(..."=+-@;,'\"\t\r\n ax1＝"), maxLength: 12 });

it("removing the guard's apostrophes restores every text of a csv file", async () => {
  const csv = createCsvRenderer({ formulaGuard: true });
  const columns = createTestColumns({ a: "text", b: "list", c: "text" });
  const render = async (wire: string) => (await renderToBuffer(csv, createTestRows(columns, wire))).bytes.toString();
  await assert(
    asyncProperty(anyText, anyText, async (text, item) => {
      const row = (await render(`${toQuotedWire(text)},${toWireList(item, text)},${toBareWire(text)}\n`)).slice(
        "a,b,c\r\n".length,
        -2,
      );
      expect(cellsOf(row).map(unguarded)).toEqual([text, `${item}; ${text}`, text]);
    }),
  );
});

function cellsOf(row: string): string[] {
  const cells = row.match(/"(?:[^"]|"")*"|[^,]+|(?<=,|^)(?=,|$)/g) ?? [];
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
