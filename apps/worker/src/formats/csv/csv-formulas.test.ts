import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInReportTypes } from "@reports/core";
import type { ColumnKind, ReportFormat } from "@reports/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadRenderer } from "../load-renderer.ts";
import { hasOpenpyxl, hasPython, python } from "../readers.fixture.ts";
import { renderToBuffer, testRows } from "../rows.fixture.ts";

/** Texts that a spreadsheet would take for formulas, and texts beside them that it would not: those that no guard may change. */
const { live, harmless } = JSON.parse(
  readFileSync(new URL("../../test/corpora/formulas.json", import.meta.url), "utf8"),
) as Readonly<Record<"live" | "harmless", readonly string[]>>;
const payloads = [...live, ...harmless];

/** What the columns hold that are no text: what begins with a minus there is a number, and stays one. */
const others: Partial<Record<ColumnKind, { readonly wire: string; readonly csv: string; readonly xlsx: unknown }>> = {
  integer: { wire: "-1", csv: "-1", xlsx: -1 },
  bigint: { wire: "-9223372036854775808", csv: "-9223372036854775808", xlsx: "-9223372036854775808" },
  decimal: { wire: "-0.10", csv: "-0.10", xlsx: -0.1 },
  ratio: { wire: "-0.05", csv: "-0.05", xlsx: -0.05 },
  bytes: { wire: "-1500", csv: "-1500", xlsx: -1500 },
  boolean: { wire: "t", csv: "true", xlsx: true },
  timestamp: { wire: "2026-11-21 01:02:03+00", csv: "2026-11-21T01:02:03+00:00", xlsx: expect.anything() },
};

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const listOf = (...items: readonly string[]) =>
  quoted(`{${items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "formulas-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe.each(builtInReportTypes.map((definition) => [definition.type, definition] as const))(
  "%s",
  (type, definition) => {
    const { columns } = definition;

    /** Every payload in every column that takes text, one row a payload; lists hold it alone and before another. */
    async function render(format: ReportFormat): Promise<string> {
      const rows = payloads.map((payload) =>
        columns
          .map(({ kind }) => {
            if (kind === "text") return quoted(payload);
            return kind === "list" ? listOf(payload, "=2") : others[kind]!.wire;
          })
          .join(","),
      );
      const renderer = await loadRenderer(format, { formulaGuard: true });
      const { bytes } = await renderToBuffer(renderer, testRows(columns, `${rows.join("\n")}\n`), {
        options: { format },
      });
      const path = join(folder, `${type}.${format}`);
      writeFileSync(path, bytes);
      return path;
    }

    it.runIf(hasPython)(
      "csv has one apostrophe before every text that would be live, and nothing else is touched",
      async () => {
        const program = `
import csv,json,sys
print(json.dumps(list(csv.reader(open(sys.argv[1], encoding='utf-8', newline=''), strict=True))))`;
        const guard = (text: string, isLive: boolean) => (isLive ? `'${text}` : text);
        expect(python(program, await render("csv"))).toEqual([
          columns.map(({ key }) => key),
          ...payloads.map((payload, index) =>
            columns.map(({ kind }) => {
              if (kind === "text") return guard(payload, index < live.length);
              return kind === "list" ? guard(`${payload}; =2`, index < live.length) : others[kind]!.csv;
            }),
          ),
        ]);
      },
    );

    it.runIf(hasOpenpyxl)("xlsx has every text as it is, in a cell that is typed text, and no formula", async () => {
      const program = `
import json,sys,openpyxl
from openpyxl.utils.escape import unescape
sheet = openpyxl.load_workbook(sys.argv[1])['Fixture']
show = lambda c: unescape(c.value) if isinstance(c.value, str) else str(c.value) if c.is_date else c.value
print(json.dumps([[[c.data_type, show(c)] for c in row] for row in sheet.iter_rows(min_row=2)]))`;
      const cells = python(program, await render("xlsx")) as readonly (readonly [string, unknown])[][];
      expect(cells.map((row) => row.map(([, value]) => value))).toEqual(
        payloads.map((payload) =>
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
