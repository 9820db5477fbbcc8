import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import {
  builtInReportTypes,
  createCatalogue,
  omitColumnsAddedAfter,
  renditionOptionsFromBody,
  rowSnapshotPathOf,
  reportFormats,
  startInputFromBody,
  type RowSnapshotHeader,
  type Render,
  type RenderRequest,
  type RenderResult,
  type ReportCatalogue,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { copyIntoInventory, createRowSourceReader, migrateDatabase } from "@reports/db";
import { createTestCaseDivider, createTestDatabases, generateDemoInventory } from "@reports/testing";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { crewReport } from "../test/crew-report.fixture.ts";
import { everyColumnReport, everyColumnSql } from "../test/every-column.fixture.ts";
import { createRenderFunction } from "./render-report.ts";

const databases = createTestDatabases({
  template: "kept_rows",
  migrate: async (databaseUrl) => {
    await migrateDatabase({ databaseUrl });
    const asOf = new Date("2026-06-01T00:00:00Z");
    await copyIntoInventory({ databaseUrl, ...generateDemoInventory({ proxies: 12, domains: 200, asOf }) });
    const owner = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
    // Times that are easily converted wrongly: an hour that a clock change repeats, one that it skips, microseconds, and far years.
    const odd = [
      "2026-10-25 00:30:00.123456+00",
      "2026-10-25 01:30:00+00",
      "2026-03-29 01:00:00.5+00",
      "1890-01-01 00:00:00+00",
    ];
    for (const [at, time] of [...odd, "9999-12-31 23:30:00+00", "0100-01-01 00:00:00+00"].entries())
      await owner`update proxies set last_checked_at = ${time}::timestamptz where id = (select id from proxies order by id offset ${at} limit 1)`;
    await owner.unsafe(everyColumnSql);
    await owner.end();
  },
});

const links = { ...crewReport.columns[0]!, key: "ticket", link: { column: "url" } };
const linkedReport: ReportTypeDefinition = {
  ...crewReport,
  type: "LINKED",
  filters: [],
  columns: [links, { ...crewReport.columns[0]!, key: "url" }],
  pdfColumns: ["ticket"],
  defaultSort: [],
  groupable: [],
  rows: {
    kind: "objects",
    async *rows() {
      yield { ticket: "T-1", url: "https://example.com/1" };
    },
  },
};
const catalogue = createCatalogue([...builtInReportTypes, crewReport, everyColumnReport, linkedReport]);
const dataAsOf = new Date("2026-11-21T01:02:03.000Z");
let folder: string;
let files = 0;
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let render: Render;
let createRender: (types: Pick<ReportCatalogue, "find">) => Render;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "kept-rows-"));
  clone = await databases.cloneDatabase();
  const source = createRowSourceReader({ url: clone.url, connectTimeoutMs: 60_000 });
  createRender = (types) =>
    createRenderFunction({
      catalogue: types,
      // All runs have the same `dataAsOf`, so that the tests can compare files byte for byte.
      rowSource: { open: async (request) => ({ ...(await source.open(request)), dataAsOf }) },
      csvFormulaGuard: true,
      brand: defaultBrand,
      now: () => dataAsOf,
    });
  render = createRender(catalogue);
});
afterAll(async () => {
  await clone[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface Made extends RenderResult {
  readonly path: string;
  readonly bytes: Buffer;
}

async function make(
  body: Readonly<Record<string, unknown>> & { readonly reportType: string },
  given: Partial<RenderRequest> = {},
  by = render,
): Promise<Made> {
  const definition = catalogue.find(body.reportType)!;
  const { title, searchParam, options } = startInputFromBody(definition, body, dataAsOf);
  const spoolPath = join(folder, String(files++));
  const request: RenderRequest = {
    reportId: "01930000-0000-7000-8000-000000000001",
    attempt: 1,
    reportType: body.reportType,
    title,
    requestedBy: "basic:alice",
    requesterName: null,
    createdAt: "2026-11-21T01:00:00.000Z",
    now: "2026-11-21T01:00:00.000Z",
    searchParam,
    options,
    spoolPath,
    maxSpoolBytes: 2 ** 31,
    maxRows: 5_000_000,
    runTimeLimitMs: 60_000,
    keptRowsPath: null,
    ...given,
  };
  const result = await by(request, { signal: new AbortController().signal, onProgress: () => undefined });
  return { ...result, path: spoolPath, bytes: readFileSync(spoolPath) };
}

const divide = createTestCaseDivider();

describe.each(["PROXY", "PROXY_DOMAIN", "CREW", "EVERY_COLUMN"])("of %s", (reportType) => {
  const first = catalogue.find(reportType)!.columns[0]!.key;
  let kept: Made;
  beforeAll(async () => {
    kept = await make({ reportType, format: "csv", columns: [first], keepRows: true });
  });

  it("a report has the same file with and without keepRows", async () => {
    const plain = await make({ reportType, format: "csv", columns: [first] });
    expect(kept.bytes.equals(plain.bytes)).toBe(true);
    expect(kept).toMatchObject({ rowCount: plain.rowCount, sha256: plain.sha256, columns: plain.columns });
    expect(plain.keptRows).toBeNull();
  });

  it("a row snapshot is a header line, then every column as the source sends it", async () => {
    const stored = readFileSync(rowSnapshotPathOf(kept.path));
    expect(kept.keptRows).toMatchObject({
      sizeBytes: stored.length,
      sha256: createHash("sha256").update(stored).digest("hex"),
    });
    const text = zstdDecompressSync(stored).toString();
    const end = text.indexOf("\n");
    const header = JSON.parse(text.slice(0, end)) as RowSnapshotHeader;
    const { columns, version } = catalogue.find(reportType)!;
    expect(header).toMatchObject({ columns, definitionVersion: version, timezone: "UTC", rowsTotal: kept.rowCount });
    expect(
      createHash("sha256")
        .update(text.slice(end + 1))
        .digest("hex"),
    ).toBe(kept.keptRows!.dataSha256);
  });

  it.each(reportFormats)("an additional %s equals the file of a separate report of the same rows", async (format) => {
    const { formats, columns } = catalogue.find(reportType)!;
    if (formats[format] === undefined || (formats[format]?.maxRows ?? 0) < kept.rowCount) return;
    const chosen = columns.map(({ key }) => key).toReversed();
    const cases = [{}, { timezone: "Europe/Berlin", columns: chosen }, { timezone: "America/St_Johns", locale: "de" }];
    for (const options of divide(cases, cases.length)) {
      const asked = { reportType, format, ...options };
      const direct = await make(asked);
      const additional = await make(asked, { keptRowsPath: rowSnapshotPathOf(kept.path) });
      expect([options, additional.bytes.equals(direct.bytes)]).toEqual([options, true]);
      expect({ ...additional, path: "", bytes: "" }).toEqual({ ...direct, path: "", bytes: "" });
    }
  });
});

it("a row snapshot can be rendered in another time zone, including its summary", async () => {
  const kept = await make({ reportType: "PROXY_DOMAIN", format: "csv", timezone: "Asia/Kathmandu", keepRows: true });
  for (const format of ["ndjson", "json"] as const) {
    const asked = { reportType: "PROXY_DOMAIN", format, timezone: "America/Los_Angeles" };
    const additional = await make(asked, { keptRowsPath: rowSnapshotPathOf(kept.path) });
    expect(additional.bytes.equals((await make(asked)).bytes)).toBe(true);
  }
});

it("a row snapshot of the previous version makes the same files", async () => {
  const asked = { reportType: "EVERY_COLUMN", format: "json", columns: ["id", "at"] };
  const columns = catalogue.find("EVERY_COLUMN")!.columns.filter(({ key }) => asked.columns.includes(key));
  const attention = { title: "Late", columns, rows: [["1", "2026-03-29 06:44:59.999999+05:45"]], total: 1 };
  const header: RowSnapshotHeader = {
    columns,
    definitionVersion: 1,
    timezone: "Asia/Kathmandu",
    dataAsOf: dataAsOf.toISOString(),
    rowsTotal: 2,
    summary: { figures: [], charts: [], attention },
    warnings: [],
  };
  const path = join(folder, String(files++));
  const wire = "1,2026-03-29 06:44:59.999999+05:45\n4,1850-01-01 05:41:16+05:41:16\n";
  writeFileSync(path, zstdCompressSync(Buffer.from(`${JSON.stringify(header)}\n${wire}`)));
  const file = JSON.parse((await make({ ...asked, timezone: "UTC" }, { keptRowsPath: path })).bytes.toString()) as {
    rows: unknown;
    summary: { attention: { rows: unknown } };
  };
  const first = { id: 1, at: "2026-03-29T00:59:59.999999+00:00" };
  expect(file.rows).toEqual([first, { id: 4, at: "1850-01-01T00:00:00+00:00" }]);
  expect(file.summary.attention.rows).toEqual([first]);
});

it.each(reportFormats)(
  "an additional %s of a report of type version 1 has the columns of version 1",
  async (format) => {
    const reportType = "PROXY_DOMAIN";
    const current = catalogue.find(reportType)!;
    const first = omitColumnsAddedAfter(current, 1);
    expect(first.columns.length).toBeLessThan(current.columns.length);
    const byFirst = createRender(createCatalogue([first]));
    const asked = { reportType, format: "csv", keepRows: true };
    const { title, options } = startInputFromBody(first, asked, dataAsOf);
    const kept = await make(asked, { options }, byFirst);
    const chosen = renditionOptionsFromBody(current, { definitionVersion: 1, title, options }, { format });
    const additional = await make(asked, { options: chosen, keptRowsPath: rowSnapshotPathOf(kept.path) });
    const shown = format === "pdf" ? first.pdfColumns : first.columns.map(({ key }) => key);
    expect(additional.columns.map(({ key }) => key)).toEqual(shown);
    expect(additional.rowCount).toBe(kept.rowCount);
  },
);

it("an additional format of a row snapshot with former column keys has current keys", async () => {
  const renamed = (key: string) => (key === "team" ? "squad" : key);
  const current = {
    ...crewReport,
    version: 2,
    columns: crewReport.columns.map((column) => ({
      ...column,
      key: renamed(column.key),
      ...(column.key === "team" && { formerly: ["team"] }),
    })),
    pdfColumns: crewReport.pdfColumns.map(renamed),
    groupable: ["squad"],
    filters: crewReport.filters.map((filter) => ({ ...filter, columns: ["squad"] })),
  };
  const asked = { reportType: "CREW", format: "csv", groupBy: "team", keepRows: true };
  const kept = await make(asked);
  const { title, options } = startInputFromBody(crewReport, asked, dataAsOf);
  const chosen = renditionOptionsFromBody(current, { definitionVersion: 1, title, options }, { format: "csv" });
  const by = createRender(createCatalogue([current]));
  const additional = await make(asked, { options: chosen, keptRowsPath: rowSnapshotPathOf(kept.path) }, by);
  const text = kept.bytes.toString();
  expect(text.split("\r\n")[0]).toContain("team");
  expect(additional.bytes.toString()).toBe(text.replace("team", "squad"));
  // A report that was queued before the keys changed asks for the former keys, and gets the same file.
  const waiting = await make(asked, { options, searchParam: {}, keptRowsPath: rowSnapshotPathOf(kept.path) }, by);
  expect(waiting.bytes.equals(additional.bytes)).toBe(true);
});

it.each(["pdf", "xlsx"] as const)(
  "a %s and its additional format have links even if the URL column is not shown",
  async (format) => {
    const asked = { reportType: "LINKED", format, columns: ["ticket"] };
    const { link: _, ...text } = links;
    const withoutLinks = createRender({ find: () => ({ ...linkedReport, columns: [text] }) });
    const files = async (by: Render): Promise<Made[]> => {
      const kept = await make({ ...asked, keepRows: true }, {}, by);
      const additional = await make(asked, { keptRowsPath: rowSnapshotPathOf(kept.path) }, by);
      return [await make(asked, {}, by), kept, additional];
    };
    const plain = await files(withoutLinks);
    for (const [at, { bytes, columns }] of (await files(render)).entries()) {
      expect(columns.map(({ key }) => key)).toEqual(["ticket"]);
      expect(bytes.equals(plain[at]!.bytes)).toBe(false);
    }
  },
);

it.each([1, 2])("an additional pdf has no links if its row snapshot (%i columns) predates them", async (count) => {
  const asked = { reportType: "LINKED", format: "pdf", columns: ["ticket"] };
  const { link: _, ...text } = links;
  const columns = [text, linkedReport.columns[1]!].slice(0, count);
  const before = createRender({ find: () => ({ ...linkedReport, columns }) });
  const kept = await make({ ...asked, keepRows: true }, {}, before);
  const additional = await make(asked, { keptRowsPath: rowSnapshotPathOf(kept.path) });
  expect(additional.bytes.equals((await make(asked, {}, before)).bytes)).toBe(true);
});

it("an additional pdf has group headings even if their column is not shown", async () => {
  const grouped = { reportType: "CREW", groupBy: "team" };
  const kept = await make({ ...grouped, format: "csv", keepRows: true });
  const asked = { ...grouped, format: "pdf", columns: ["name", "pay"] };
  const additional = await make(asked, { keptRowsPath: rowSnapshotPathOf(kept.path) });
  expect(additional.bytes.equals((await make(asked)).bytes)).toBe(true);
});

it.each(reportFormats)("the result of a grouped %s lists only the requested columns", async (format) => {
  const grouped = { reportType: "CREW", groupBy: "team", format };
  const keysOf = ({ columns }: Made): string[] => columns.map(({ key }) => key);
  expect(keysOf(await make({ ...grouped, columns: ["pay", "name"] }))).toEqual(["pay", "name"]);
  const kept = await make({ ...grouped, columns: ["pay"], keepRows: true });
  expect(keysOf(kept)).toEqual(["pay"]);
  const additional = { keptRowsPath: rowSnapshotPathOf(kept.path) };
  expect(keysOf(await make({ ...grouped, columns: ["name"] }, additional))).toEqual(["name"]);
  expect(keysOf(await make({ ...grouped, columns: ["name", "team"] }))).toEqual(["name", "team"]);
});

it("a row snapshot's digest depends only on its rows and their order", async () => {
  const digestOf = async (body: Readonly<Record<string, unknown>>): Promise<string> =>
    (await make({ reportType: "PROXY", keepRows: true, ...body })).keptRows!.dataSha256;
  const first = await digestOf({ format: "csv" });
  expect(await digestOf({ format: "json", columns: ["name"], locale: "de" })).toBe(first);
  expect(await digestOf({ format: "csv", sort: ["-name"] })).not.toBe(first);
});

it("row snapshot and file share the limit of scratch space and are removed above it", async () => {
  const asked = { reportType: "PROXY_DOMAIN", format: "csv" };
  const { sizeBytes } = await make(asked);
  const tight = { maxSpoolBytes: sizeBytes + 100 };
  const spoolPath = join(folder, "tight");
  await expect(make({ ...asked, keepRows: true }, { ...tight, spoolPath })).rejects.toMatchObject({
    code: "SPOOL_LIMIT_EXCEEDED",
  });
  expect(() => readFileSync(spoolPath)).toThrow("ENOENT");
  expect(() => readFileSync(rowSnapshotPathOf(spoolPath))).toThrow("ENOENT");
});

it.each([
  ["is no zstd", Buffer.from("something else")],
  ["is empty", Buffer.alloc(0)],
])("a file that %s is rejected as a row snapshot", async (_, bytes) => {
  const path = join(folder, String(files++));
  writeFileSync(path, bytes);
  await expect(make({ reportType: "PROXY", format: "csv" }, { keptRowsPath: path })).rejects.toMatchObject({
    code: "ROWS_LOST",
  });
});
