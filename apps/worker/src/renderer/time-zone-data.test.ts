import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCatalogue,
  rowSnapshotPathOf,
  previewInputFromQuery,
  readPreview,
  reportFormats,
  startInputFromBody,
  type RenderRequest,
} from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { createDatabase, createReportPreviewReader, createRowSourceReader, createRowEstimator } from "@reports/db";
import {
  createTestCaseDivider,
  createTestDatabases,
  installPostgresWithZones,
  startPostgres,
  throwAwayPostgresSettings,
  type PostgresWithZones,
} from "@reports/testing";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { createRenderFunction } from "./render-report.ts";

/** The test database simulates other time zone data: wrong for Berlin, and without Coyhaique, a zone that exists since 2025. */
const zones = ["Europe/Berlin", "America/Coyhaique"];
const otherZones = { "Europe/Berlin": 9 * 3600, "America/Coyhaique": null };
const now = new Date("2026-11-21T01:02:03.000Z");

const { reportTypes } = defineReportTypes([
  {
    authority: "A",
    definition: {
      type: "TIMES",
      version: 1,
      title: "Times",
      columns: [
        { key: "id", title: "Id", kind: "integer" },
        { key: "at", title: "At", kind: "timestamp" },
        { key: "day", title: "Day", kind: "date" },
      ],
      filters: [
        { name: "dayFrom", operator: "from", value: "timestamp", columns: ["day"], description: "From." },
        { name: "atFrom", operator: "from", value: "timestamp", columns: ["at"], description: "From." },
      ],
      groupable: ["at"],
      summary: {
        figures: [{ key: "rows", title: "Rows", kind: "integer", aggregate: { kind: "count" } }],
        charts: [{ key: "times", title: "Times", categories: { column: "at", top: 2 }, measure: { kind: "count" } }],
        attention: {
          title: "Late",
          where: { column: "id", atLeast: 2 },
          columns: ["id", "at"],
          sort: [{ key: "id", descending: false }],
          limit: 2,
        },
      },
      rows: {
        kind: "view",
        view: "times",
        id: "id",
        columns: {
          id: { column: "id", type: "integer" },
          at: { column: "at", type: "timestamptz" },
          day: { column: "day", type: "date" },
        },
      },
    },
  },
]);
const definition = reportTypes[0]!.definition;
const catalogue = createCatalogue([definition]);
const rows = `create table times (id integer, at timestamptz, day date);
  insert into times values (1, '2026-10-25T00:30:00.5Z', '2026-10-25'), (2, '2026-10-25T01:30:00Z', '2026-11-20'),
    (3, '2026-11-20T23:00:00Z', '2026-11-21'), (4, '2026-11-21T03:00:00Z', '2026-11-22')`;

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
let folder: string;
let files = 0;
let oldZones: PostgresWithZones;
let other: Awaited<ReturnType<typeof startPostgres>>;
let usual: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "time-zone-data-"));
  usual = await cloneDatabase();
  oldZones = await installPostgresWithZones(otherZones);
  other = await startPostgres({ bin: oldZones.bin, settings: throwAwayPostgresSettings });
  for (const { url } of [usual, other]) {
    const client = postgres(url, { max: 1, onnotice: () => undefined });
    await client.unsafe(rows);
    await client.end();
  }
});
afterAll(async () => {
  await other?.stop("immediate");
  await oldZones?.[Symbol.asyncDispose]();
  await usual?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function make(url: string, body: object, given: Partial<RenderRequest> = {}) {
  const source = createRowSourceReader({ url, connectTimeoutMs: 60_000 });
  const render = createRenderFunction({
    catalogue,
    // All runs have the same `dataAsOf`, so that their files can be compared.
    rowSource: { open: async (request) => ({ ...(await source.open(request)), dataAsOf: now }) },
    csvFormulaGuard: true,
    brand: defaultBrand,
    now: () => now,
  });
  const { title, searchParam, options } = startInputFromBody(definition, { reportType: "TIMES", ...body }, now);
  const spoolPath = join(folder, String(files++));
  const request: RenderRequest = {
    reportId: "01930000-0000-7000-8000-000000000001",
    attempt: 1,
    reportType: "TIMES",
    title,
    requestedBy: "basic:alice",
    requesterName: null,
    createdAt: now.toISOString(),
    now: now.toISOString(),
    searchParam,
    options,
    spoolPath,
    maxSpoolBytes: 2 ** 31,
    maxRows: 5_000_000,
    runTimeLimitMs: 60_000,
    keptRowsPath: null,
    ...given,
  };
  const result = await render(request, { signal: new AbortController().signal, onProgress: () => undefined });
  return { path: spoolPath, bytes: readFileSync(spoolPath), dataSha256: result.keptRows?.dataSha256 };
}

const csvOf = async (url: string, body: object): Promise<string> =>
  (await make(url, { format: "csv", csvBom: false, ...body })).bytes.toString();

test("cells use Node's time zone data, as the cover does", async () => {
  expect(await csvOf(other.url, { timezone: "Europe/Berlin" })).toBe(
    [
      "id,at,day",
      "1,2026-10-25T02:30:00.5+02:00,2026-10-25",
      "2,2026-10-25T02:30:00+01:00,2026-11-20",
      "3,2026-11-21T00:00:00+01:00,2026-11-21",
      "4,2026-11-21T04:00:00+01:00,2026-11-22",
      "",
    ].join("\r\n"),
  );
});

test("filters with relative times select the same day that cells show", async () => {
  const ids = async (timezone: string, searchParam: object): Promise<string[]> =>
    (await csvOf(other.url, { timezone, searchParam, columns: ["id"] })).split("\r\n").slice(1, -1);
  expect(await ids("Europe/Berlin", { atFrom: "today" })).toEqual(["3", "4"]);
  expect(await ids("Europe/Berlin", { dayFrom: "today" })).toEqual(["3", "4"]);
  expect(await ids("America/Coyhaique", { atFrom: "today" })).toEqual(["3", "4"]);
  expect(await ids("America/Coyhaique", { dayFrom: "today" })).toEqual(["2", "3", "4"]);
});

const divide = createTestCaseDivider();

describe.each(zones)("files in %s with a database that has other time zone data", (timezone) => {
  test.each(divide(reportFormats, 2))("a %s does not depend on the time zone data of the database", async (format) => {
    const asked = { format, timezone, ...(format === "pdf" ? { groupBy: "at" } : {}) };
    const expected = await make(usual.url, asked);
    expect((await make(other.url, asked)).bytes.equals(expected.bytes)).toBe(true);
    const kept = await make(other.url, { ...asked, keepRows: true });
    expect(kept.bytes.equals(expected.bytes)).toBe(true);
    const additional = await make(other.url, asked, { keptRowsPath: rowSnapshotPathOf(kept.path) });
    expect(additional.bytes.equals(expected.bytes)).toBe(true);
  });

  test("previews and forecasts do not depend on the database's time zone data", async () => {
    const database = createDatabase({ url: other.url, max: 1, connectTimeoutMs: 60_000, deadlineMs: 60_000 });
    const previews = createReportPreviewReader(
      { main: { url: other.url, engine: "postgres" } },
      { connections: 1, deadlineMs: 60_000 },
      createRowEstimator(database, new Map()),
    );
    try {
      const pairs = [
        ["timezone", timezone],
        ["searchParam[dayFrom]", "today"],
      ] as const;
      const request = previewInputFromQuery(definition, pairs, now);
      const { signal } = new AbortController();
      const body = { format: "json", timezone, searchParam: { dayFrom: "today" } };
      const file = JSON.parse((await make(usual.url, body)).bytes.toString()) as { rows: unknown[] };
      expect(await readPreview({ previews }, request, signal)).toEqual(file.rows);
      expect(await previews.forecast(request, signal)).toMatchObject({ rows: file.rows.length });
    } finally {
      await previews.close();
      await database.close();
    }
  });
});

test("a row snapshot's digest does not depend on time zone or time zone data", async () => {
  const digestOf = async (url: string, timezone: string) =>
    (await make(url, { format: "csv", timezone, keepRows: true })).dataSha256;
  expect(await digestOf(other.url, "Europe/Berlin")).toBe(await digestOf(usual.url, "UTC"));
});
