import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PermanentReportError } from "@reports/core/base";
import {
  reportFormats,
  type ObjectRow,
  type ObjectRows,
  type ObjectRowsRequest,
  type RenderProgress,
  type RenderRequest,
  type ReportFormat,
  type ReportSummary,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { hasPdftotext, hasPython, runPythonProgram } from "../formats/readers.fixture.ts";
import { testObjectRowsContext, createTestRenderRequest } from "../formats/rows.fixture.ts";
import { openObjectRows } from "../wire/object-rows.ts";
import { createRenderFunction } from "./render-report.ts";

const { reportTypes } = defineReportTypes([
  {
    authority: "REPORT_FIXTURE",
    definition: {
      type: "FIXTURE",
      version: 1,
      title: "Crew on duty",
      columns: [
        { key: "name", title: "Name", kind: "text" },
        { key: "team", title: "Team", kind: "text", tones: { edge: "good" } },
        { key: "pay", title: "Pay", kind: "decimal" },
        { key: "skills", title: "Skills", kind: "list" },
      ],
      where: [{ column: "team", isNull: false }],
      summary: {
        figures: [
          { key: "crew", title: "Crew", kind: "integer", aggregate: { kind: "count" } },
          { key: "pay", title: "Paid in all", kind: "decimal", aggregate: { kind: "sum", column: "pay" } },
        ],
        charts: [
          { key: "teams", title: "Teams", categories: { column: "team", top: 1 }, measure: { kind: "count" } },
          { key: "skills", title: "Skills", categories: { column: "skills", top: 9 }, measure: { kind: "count" } },
        ],
        attention: {
          title: "Paid nothing",
          where: { column: "pay", isNull: true },
          columns: ["name"],
          sort: [{ key: "name", descending: true }],
          limit: 1,
        },
      },
      rows: {
        kind: "objects",
        async *rows() {
          yield* crew;
        },
      },
    },
  },
]);
const { definition } = reportTypes[0]!;
const crew = [
  { name: "Ada", team: "core", pay: "12345678901234567.89", skills: ["sql", "dns"] },
  { name: "Bob", team: "edge", pay: null, skills: [] },
  { name: "Cid", team: "edge", pay: "0.1", skills: ["dns"] },
  { name: "Dan", team: "edge", pay: null },
  { name: "Nobody", team: null, pay: "5", skills: ["dns"] },
];

const summary: ReportSummary = {
  figures: [
    { key: "crew", title: "Crew", kind: "integer", tone: "neutral", value: "4" },
    { key: "pay", title: "Paid in all", kind: "decimal", tone: "neutral", value: "12345678901234567.99" },
  ],
  charts: [
    {
      key: "teams",
      title: "Teams",
      series: [{ label: "Teams", tone: "neutral" }],
      points: [{ label: "edge", tone: "good", values: [3] }],
      omitted: [{ label: "1 other", value: 1 }],
    },
    {
      key: "skills",
      title: "Skills",
      series: [{ label: "Skills", tone: "neutral" }],
      points: [
        { label: "dns", tone: "neutral", values: [2] },
        { label: "sql", tone: "neutral", values: [1] },
      ],
      omitted: [{ label: "no skills", value: 2 }],
    },
  ],
  attention: { title: "Paid nothing", columns: [definition.columns[0]!], rows: [["Dan"]], total: 2 },
};

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "object-rows-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function render(
  format: ReportFormat,
  given: Partial<Omit<RenderRequest, "options">> & {
    readonly options?: Partial<RenderRequest["options"]>;
    readonly rows?: Partial<ObjectRows>;
    readonly columns?: string[];
  } = {},
  { signal = new AbortController().signal, progress = [] as RenderProgress[] } = {},
) {
  const { rows, columns = definition.columns.map(({ key }) => key), options, ...changes } = given;
  const type: ReportTypeDefinition = { ...definition, rows: { ...(definition.rows as ObjectRows), ...rows } };
  const request = createTestRenderRequest(definition.columns, {
    spoolPath: join(folder, String(files++)),
    options: { format, columns, ...options },
    ...changes,
  });
  const renderIt = createRenderFunction({
    rowSource: { open: () => expect.fail("the row source was asked") },
    catalogue: { find: () => type },
    csvFormulaGuard: true,
    brand: defaultBrand,
    // A clock that stands still keeps the number of progress reports independent of the speed.
    now: () => new Date("2026-11-21T01:02:03.000Z"),
  });
  const result = await renderIt(request, { signal, onProgress: (step) => void progress.push(step) });
  return { ...result, path: request.spoolPath };
}

describe("summary of object rows", () => {
  it("json has the summary of object rows after the rows, over all columns", async () => {
    const { path } = await render("json", { columns: ["name"] });
    const file = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    expect(Object.keys(file)).toEqual(["report", "columns", "rows", "summary"]);
    expect(file["rows"]).toEqual([{ name: "Ada" }, { name: "Bob" }, { name: "Cid" }, { name: "Dan" }]);
    expect(file["summary"]).toMatchObject({
      figures: [{ value: 4 }, { value: "12345678901234567.99" }],
      charts: summary.charts,
      attention: { title: "Paid nothing", total: 2, rows: [{ name: "Dan" }] },
    });
  });

  it.runIf(hasPdftotext)("pdf has the summary of object rows before the rows", async () => {
    const { path, rowCount } = await render("pdf");
    const text = execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });
    const places = ["12,345,678,901,234,567.99", "Paid nothing", "All rows"].map((part) => text.indexOf(part));
    expect(places[0]).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(text).toContain("Not shown: 1 other (1)");
    expect(text).toContain("4 rows");
    expect(rowCount).toBe(4);
    expect(text).not.toContain("Nobody");
  });

  it.runIf(hasPython)("xlsx has the summary and attention list of object rows before the rows", async () => {
    const { path } = await render("xlsx");
    const program = `
import json,re,sys,zipfile
book = zipfile.ZipFile(sys.argv[1])
read = lambda name: book.read('xl/' + name).decode()
files = re.findall('worksheets/sheet[0-9]+.xml', read('_rels/workbook.xml.rels'))
names = re.findall('<sheet name="([^"]*)"', read('workbook.xml'))
print(json.dumps([[name, re.findall('<(?:t|v)[^>]*>([^<]*)<', read(file))] for name, file in zip(names, files)]))`;
    const sheets = (await runPythonProgram(program, path)) as [string, string[]][];
    expect(sheets.map(([name]) => name)).toEqual(["Summary", "Paid nothing", "Crew on duty"]);
    expect(sheets[0]![1].join("|")).toMatch(
      /\|Crew\|4\|Paid in all\|12345678901234567\.99\|Paid nothing\|2\|.*\|edge\|3\|/,
    );
    expect(sheets[1]![1].slice(0, 2)).toEqual(["Name", "Dan"]);
    expect(sheets[2]![1].filter((text) => crew.some(({ name }) => name === text))).toEqual([
      "Ada",
      "Bob",
      "Cid",
      "Dan",
    ]);
  });
});

describe("request of object rows", () => {
  it.each([
    ["ndjson", ["name"], ["name", "team"]],
    ["json", ["name"], ["name", "team", "pay", "skills"]],
  ] as const)(
    "a type's rows and count functions for %s get the names of the read columns",
    async (format, columns, expected) => {
      const asked: ObjectRowsRequest[] = [];
      const rows: Partial<ObjectRows> = {
        async *rows(request) {
          asked.push(request);
          yield* crew;
        },
        async count(request) {
          asked.push(request);
          return 4;
        },
      };
      await render(format, { rows, columns: [...columns] });
      expect(asked).toHaveLength(2);
      for (const request of asked) expect(new Set(request.columns)).toEqual(new Set(expected));
    },
  );

  it("a type's rows function gets requester, locale, language, sort and group columns", async () => {
    const asked: ObjectRowsRequest[] = [];
    const rows: Partial<ObjectRows> = {
      async *rows(request) {
        asked.push(request);
        yield* [];
      },
    };
    await render("ndjson", {
      rows,
      columns: ["name"],
      requestedBy: "basic:bob",
      requesterName: "Bob",
      options: { sort: ["-pay"], locale: "de-AT", language: "de" },
    });
    expect(asked).toEqual([
      expect.objectContaining({
        columns: ["name", "team", "pay"],
        limit: null,
        locale: "de-AT",
        language: "de",
        requester: { id: "basic:bob", name: "Bob" },
      }),
    ]);
  });
});

describe("fixed conditions", () => {
  it.each(reportFormats)(
    "a type's fixed conditions filter its object rows in %s, also by a hidden column",
    async (format) => {
      expect((await render(format, { columns: ["name"] })).rowCount).toBe(4);
    },
  );
});

describe("count of object rows", () => {
  it("progress shows the total of object rows before the first row is read", async () => {
    const progress: RenderProgress[] = [];
    await render("ndjson", { rows: { count: () => Promise.resolve(4) } }, { progress });
    expect(progress).toContainEqual({ phase: "querying", rowsDone: 0, rowsTotal: 4 });
  });

  it("a row count above the limit fails the report before any row is read", async () => {
    const rows = { count: () => Promise.resolve(5), rows: () => expect.fail("rows were asked for") };
    await expect(render("ndjson", { maxRows: 4, rows })).rejects.toMatchObject({
      code: "REPORT_TOO_LARGE",
      message: expect.stringContaining("has 5 rows"),
    });
  });

  it.each([
    ["ndjson", 1],
    ["pdf", 4],
  ] as const)(
    "a row count that is too low does not fail the report: %s has the actual number",
    async (format, lastTotal) => {
      const progress: RenderProgress[] = [];
      const { rowCount } = await render(format, { rows: { count: () => Promise.resolve(1) } }, { progress });
      expect(rowCount).toBe(4);
      expect(progress.at(-1)?.rowsTotal).toBe(lastTotal);
    },
  );

  it.each([-1, 1.5, Number.NaN, "4"])("the invalid row count %s fails the report with INVALID_DATA", async (count) => {
    const rows = { count: () => Promise.resolve(count as number) };
    await expect(render("ndjson", { rows })).rejects.toMatchObject({ code: "INVALID_DATA" });
  });

  it("a count function that never returns is abandoned when the report is stopped", async () => {
    const stop = new AbortController();
    const counting = Promise.withResolvers<void>();
    const count = (): Promise<number> => {
      counting.resolve();
      return new Promise(() => undefined);
    };
    const rendering = render("ndjson", { rows: { count } }, { signal: stop.signal });
    await counting.promise;
    stop.abort(new Error("stopped"));
    await expect(rendering).rejects.toThrow("stopped");
  });
});

describe("buffered rows of a pdf", () => {
  const endless: Partial<ObjectRows> = {
    async *rows() {
      for (let number = 0; ; number++) {
        if (number % 1000 === 0) await nextTurn();
        yield { name: `name ${number}`, team: "edge" } satisfies ObjectRow;
      }
    },
  };

  it("buffered rows of a pdf are limited by the format's maximum rows", async () => {
    await expect(render("pdf", { rows: endless, maxRows: 10_000 })).rejects.toMatchObject({ code: "REPORT_TOO_LARGE" });
  });

  it("buffered rows of a pdf are limited by the maximum size of a file", async () => {
    await expect(render("pdf", { rows: endless, maxSpoolBytes: 1_000_000 })).rejects.toMatchObject({
      code: "SPOOL_LIMIT_EXCEEDED",
    });
  });

  it("buffered rows and the pdf share the limit of scratch space", async () => {
    const rows: Partial<ObjectRows> = {
      async *rows() {
        for (let number = 0; number < 2_000; number++) yield { name: `name ${number}`, team: "edge" };
      },
    };
    const { sizeBytes } = await render("pdf", { rows });
    const bufferedBytes = Array.from({ length: 2_000 }, (_, number) => `name ${number},edge,,\n`).join("").length;
    // The margin of 1,000 bytes covers the time on the cover, which changes the size by a few bytes.
    await render("pdf", { rows, maxSpoolBytes: bufferedBytes + sizeBytes + 1_000 });
    await expect(render("pdf", { rows, maxSpoolBytes: bufferedBytes + sizeBytes - 1_000 })).rejects.toMatchObject({
      code: "SPOOL_LIMIT_EXCEEDED",
      message: expect.stringContaining("which they may take together"),
    });
  });

  it("buffering rows ends when the report is stopped", async () => {
    const stop = new AbortController();
    const rows: Partial<ObjectRows> = {
      async *rows(request) {
        for await (const row of endless.rows!(request)) {
          if (row["name"] === "name 50000") stop.abort(new Error("stopped"));
          yield row;
        }
      },
    };
    await expect(render("pdf", { rows }, { signal: stop.signal })).rejects.toThrow("stopped");
  });

  it("an error of buffered rows fails the report with the source's error", async () => {
    const rows: Partial<ObjectRows> = {
      // oxlint-disable-next-line require-yield -- It ends before its first row.
      async *rows() {
        throw new PermanentReportError("INVALID_DATA", "The crew is away.");
      },
    };
    await expect(render("pdf", { rows })).rejects.toThrow("The crew is away.");
  });

  it("buffered rows leave no files behind", () => {
    expect(readdirSync(folder).filter((name) => name.includes("rows"))).toEqual([]);
  });
});

it("a decimal of an object row is written without its leading zeros", async () => {
  const rows: Partial<ObjectRows> = {
    async *rows() {
      yield { name: "Eve", team: "edge", pay: "-007.50" };
    },
  };
  const { path } = await render("ndjson", { rows });
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pay: "-7.50" });
});

it.each([
  ["null for a row", null, /gave a row that is not an object/],
  ["a text for a row", "Eve", /gave a row that is not an object/],
  ["a symbol for a number", { team: "edge", shift: Symbol("night") }, /not a valid integer for column shift/],
  ["an object for a number", { team: "edge", shift: Object.create(null) }, /not a valid integer for column shift/],
  [
    "a day after the last year",
    { team: "edge", since: new Date("9999-12-31T23:59:59Z") },
    /not a valid date for column since/,
  ],
])("object rows with %s fail the report with INVALID_DATA", async (_, row, message) => {
  const columns = [
    ...definition.columns,
    { key: "shift", title: "Shift", kind: "integer", width: 10 },
    { key: "since", title: "Since", kind: "date", width: 10 },
  ] as const;
  const opened = await openObjectRows(
    { kind: "objects", rows: () => [row] as never },
    {
      definition: { ...definition, columns },
      columns,
      searchParam: {},
      sort: [],
      timezone: "Asia/Tokyo",
      statementTimeoutMs: 60_000,
      signal: new AbortController().signal,
    },
    testObjectRowsContext,
  );
  await expect(opened.bytes.toArray()).rejects.toMatchObject({
    name: "PermanentReportError",
    code: "INVALID_DATA",
    message: expect.stringMatching(message),
  });
});
