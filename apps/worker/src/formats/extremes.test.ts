import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJsonRowConverter, reportFormats, type ColumnKind, type ReportFormat } from "@reports/core/report";
import { createTestDatabases } from "@reports/testing";
import { parse } from "csv-parse/sync";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { extremesByKind, type ExtremeValue } from "./extremes.fixture.ts";
import { loadRenderer } from "./load-renderer.ts";
import { renderAndReadPdf } from "./pdf/rendered-pdf.fixture.ts";
import { hasPdftotext } from "./readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "./rows.fixture.ts";
import { workbookReaders } from "./xlsx/workbook-readers.fixture.ts";

const timezone = "Europe/Berlin";
const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const kinds = Object.entries(extremesByKind) as unknown as readonly (readonly [ColumnKind, readonly ExtremeValue[]])[];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "extremes-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function wireOf(values: readonly ExtremeValue[]): string {
  const rows = values.map(
    ({ wire }, at) => `row-${at},${/[",]/.test(wire) ? `"${wire.replaceAll('"', '""')}"` : wire}`,
  );
  return `${[...rows, `row-${values.length},`].join("\n")}\n`;
}

const readersOf = {
  async csv(kind, values) {
    const { bytes } = await render("csv", kind, values);
    return parse(bytes)
      .slice(1)
      .map(([, cell]) => cell);
  },
  async json(kind, values) {
    const { bytes } = await render("json", kind, values);
    return (JSON.parse(bytes.toString()) as { readonly rows: readonly { readonly value: unknown }[] }).rows.map(
      ({ value }) => value,
    );
  },
  async ndjson(kind, values) {
    const { bytes } = await render("ndjson", kind, values);
    const lines = bytes.toString().trimEnd().split("\n");
    return lines.map((line) => (JSON.parse(line) as { readonly value: unknown }).value);
  },
  async xlsx(kind, values) {
    const path = join(folder, `${kind}.xlsx`);
    writeFileSync(path, (await render("xlsx", kind, values)).bytes);
    const book = await workbookReaders["SheetJS"]!.read(path);
    return [...values, null].map((_, at) => book["Fixture"]![at + 1]![1] ?? null);
  },
  // Spaces are removed, because pdf readers guess them from the gaps between glyphs.
  async pdf(kind, values) {
    const { pages } = await renderAndReadPdf(columnsOf(kind), wireOf(values), {
      options: { timezone, orientation: "landscape" },
    });
    const table = pages.join("\n");
    return [...values, null].map((_, at) =>
      RegExp(`^ *row-${at}\\s+(\\S.*?) *$`, "m").exec(table)?.[1]?.replaceAll(" ", ""),
    );
  },
} as const satisfies Readonly<
  Record<ReportFormat, (kind: ColumnKind, values: readonly ExtremeValue[]) => Promise<readonly unknown[]>>
>;

const nothingIn = { csv: "", json: null, ndjson: null, xlsx: null, pdf: "–" } as const;

function expectedIn(format: ReportFormat, value: ExtremeValue): unknown {
  const { wire, csv = wire, json = csv, xlsx = wire, pdf = wire } = value;
  return { csv, json, ndjson: json, xlsx, pdf: pdf.replaceAll(/\s/g, "") }[format];
}

function columnsOf(kind: ColumnKind) {
  return createTestColumns({ name: "text", value: kind });
}

async function render(format: ReportFormat, kind: ColumnKind, values: readonly ExtremeValue[]) {
  const renderer = await loadRenderer(format, { formulaGuard: true });
  return renderToBuffer(renderer, createTestRows(columnsOf(kind), wireOf(values)), { options: { format, timezone } });
}

describe.each(kinds)("extreme values of the kind %s", (kind, values) => {
  test("Postgres writes the extreme values in the expected wire form", async () => {
    await using database = await cloneDatabase();
    const client = postgres(database.url, { max: 1, connection: { TimeZone: timezone } });
    const asked = values.filter(({ sql }) => sql !== undefined);
    const columns = asked.map(({ sql }, at) => `((${sql}))::text as c${at}`);
    const [row] = await client.unsafe<Record<string, string>[]>(`select ${columns.join(", ")}`);
    await client.end();
    // A cast to text writes a boolean as a word (`true`). COPY writes only the first letter, so only that letter is compared.
    const texts = asked.map((_, at) => (kind === "boolean" ? row![`c${at}`]![0]! : row![`c${at}`]!));
    expect(texts.map(shorten)).toEqual(asked.map(({ wire }) => shorten(wire)));
  });

  test.each(reportFormats)("a %s file has extreme values exactly or with the documented rounding", async (format) => {
    if (format === "pdf" && !hasPdftotext) return;
    const found = await readersOf[format](kind, values);
    const shown = found.map((cell) => (typeof cell === "string" ? shorten(cell) : cell));
    const wanted = [...values.map((value) => expectedIn(format, value)), nothingIn[format]];
    expect(shown).toEqual(wanted.map((cell) => (typeof cell === "string" ? shorten(cell) : cell)));
  });

  test("previews show extreme values as the json file does", () => {
    const row = createJsonRowConverter([{ key: "value", kind }], timezone);
    for (const value of values) expect(row([value.wire])).toEqual({ value: expectedIn("json", value) });
  });
});

function shorten(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 40)} … ${text.slice(-40)} (${text.length})`;
}
