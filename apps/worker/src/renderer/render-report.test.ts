import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import type { ObjectRow, RenderProgress, ReportTypeDefinition, RowStream } from "@reports/core/report";
import { PermanentReportError, StoreUnavailableError } from "@reports/core/base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { createRenderFunction } from "./render-report.ts";
import {
  createTestColumns,
  createTestDefinition,
  createTestRenderRequest,
  createTestRows,
} from "../formats/rows.fixture.ts";

const columns = createTestColumns({ name: "text", port: "integer" });
const wire = "a,1\nb,2\n";
let folder: string;
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "render-report-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function spoolPath(): string {
  return join(folder, String(files++));
}

function rendererOf(
  rows: () => RowStream,
  definition: ReportTypeDefinition = createTestDefinition(columns),
  now?: () => Date,
) {
  return createRenderFunction({
    rowSource: { open: () => Promise.resolve(rows()) },
    catalogue: { find: (type) => (type === definition.type ? definition : undefined) },
    csvFormulaGuard: true,
    brand: defaultBrand,
    ...(now && { now }),
  });
}

function contextOf(signal = new AbortController().signal, progress: RenderProgress[] = []) {
  return { signal, onProgress: (step: RenderProgress) => void progress.push(step) };
}

function endlessRows(chunk = "a,1\n"): RowStream {
  return {
    ...createTestRows(columns, ""),
    bytes: new Readable({
      read() {
        setImmediate(() => this.push(Buffer.from(chunk)));
      },
    }),
  };
}

describe("report rendering", () => {
  it("the renderer returns row count, size and SHA-256 of the file that it wrote", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath(), options: { csvBom: true } });
    const result = await rendererOf(() => createTestRows(columns, wire))(request, contextOf());
    const bytes = readFileSync(request.spoolPath);
    expect(bytes.toString()).toBe("\uFEFFname,port\r\na,1\r\nb,2\r\n");
    expect(result).toEqual({
      rowCount: 2,
      sizeBytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      extension: "csv",
      columns,
      dataAsOf: "2026-11-21T01:02:03.000Z",
      warnings: [],
      keptRows: null,
    });
  });

  it("if the source miscounted its rows, the result has the corrected file's hash", async () => {
    // The rows do not fit in the buffers of the spool writer, so the bytes that are corrected at the end are already on the disk.
    const rows = Array.from({ length: 100_000 }, (_, row) => `${(row * 2_654_435_761) % 2 ** 32} a,${row}\n`).join("");
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath(), options: { format: "xlsx" } });
    const result = await rendererOf(() => createTestRows(columns, rows, { rowsTotal: 99_999 }))(request, contextOf());
    const bytes = readFileSync(request.spoolPath);
    expect(bytes.length).toBeGreaterThan(1024 * 1024);
    expect(result).toMatchObject({
      rowCount: 100_000,
      sizeBytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
    expect(bytes.includes('<dimension ref="A1:B100000"/>')).toBe(false);
    const same = createTestRenderRequest(columns, { spoolPath: spoolPath(), options: { format: "xlsx" } });
    await rendererOf(() => createTestRows(columns, rows, { rowsTotal: 100_000 }))(same, contextOf());
    // The first part of a sheet is stored uncompressed, so this text can be found in the file.
    expect(readFileSync(same.spoolPath).includes('<dimension ref="A1:B100001"/>')).toBe(true);
  });

  it.each([
    ["csv", 1],
    ["xlsx", 1],
    ["json", 1],
    ["ndjson", 1],
    ["pdf", 0],
  ] as const)(
    "a %s file with groupBy has a warning if its rows are only sorted, not grouped",
    async (format, count) => {
      const request = createTestRenderRequest(columns, {
        spoolPath: spoolPath(),
        options: { format, groupBy: "name" },
      });
      const { warnings } = await rendererOf(() => createTestRows(columns, wire))(request, contextOf());
      expect(warnings.map(({ code }) => code)).toEqual(Array.from({ length: count }, () => "ROWS_NOT_GROUPED"));
    },
  );

  it.each([
    ["gzip", "csv.gz", gunzipSync],
    ["zstd", "csv.zst", zstdDecompressSync],
  ] as const)(
    "a csv compressed with %s decompresses to its rows and has the extension %s",
    async (compression, extension, decompress) => {
      const rows = "some name,1\n".repeat(200_000);
      const request = createTestRenderRequest(columns, { spoolPath: spoolPath(), options: { compression } });
      const result = await rendererOf(() => createTestRows(columns, rows))(request, contextOf());
      const bytes = readFileSync(request.spoolPath);
      expect(result).toMatchObject({ extension, rowCount: 200_000, sizeBytes: bytes.length });
      expect(result.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
      expect(decompress(bytes).toString()).toBe(`name,port\r\n${rows.replaceAll("\n", "\r\n")}`);
    },
  );

  it.each(["none", "gzip", "zstd"] as const)(
    "a file above the spool limit fails its report and is removed (compression %s)",
    async (compression) => {
      const request = createTestRenderRequest(columns, {
        spoolPath: spoolPath(),
        maxSpoolBytes: 1000,
        options: { compression },
      });
      const rows = endlessRows(Array.from({ length: 2000 }, (_, index) => `${Math.sin(index)},1\n`).join(""));
      await expect(rendererOf(() => rows)(request, contextOf())).rejects.toMatchObject({
        code: "SPOOL_LIMIT_EXCEEDED",
      });
      expect(existsSync(request.spoolPath)).toBe(false);
      expect(rows.bytes.destroyed).toBe(true);
    },
  );

  it.each([
    ["csv", false],
    ["ndjson", false],
    ["json", true],
    ["xlsx", true],
    ["pdf", true],
  ] as const)(
    "the renderer requests a summary of the rows only if the format shows it (%s: %s)",
    async (format, isAsked) => {
      const asked: (boolean | undefined)[] = [];
      const render = createRenderFunction({
        rowSource: {
          open: ({ withSummary }) => {
            asked.push(withSummary);
            return Promise.resolve(createTestRows(columns, wire));
          },
        },
        catalogue: { find: () => createTestDefinition(columns) },
        csvFormulaGuard: true,
        brand: defaultBrand,
      });
      await render(createTestRenderRequest(columns, { spoolPath: spoolPath(), options: { format } }), contextOf());
      expect(asked).toEqual([isAsked]);
    },
  );

  it("a known total above the format's maximum fails the report before the first row", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath(), maxRows: 1 });
    const rows = createTestRows(columns, wire, { rowsTotal: 2 });
    const failure = rendererOf(() => rows)(request, contextOf());
    await expect(failure).rejects.toThrow(
      "The report has 2 rows, and csv holds at most 1. Ask for pdf or ndjson, or narrow its filters.",
    );
    await expect(failure).rejects.toMatchObject({ code: "REPORT_TOO_LARGE" });
    expect(existsSync(request.spoolPath)).toBe(false);
    expect(rows.bytes.destroyed).toBe(true);
  });

  it("with an unknown total, the first row above the format's maximum fails the report", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath(), maxRows: 1 });
    const rows = createTestRows(columns, wire);
    await expect(rendererOf(() => rows)(request, contextOf())).rejects.toMatchObject({ code: "REPORT_TOO_LARGE" });
    expect(existsSync(request.spoolPath)).toBe(false);
    expect(rows.bytes.destroyed).toBe(true);
  });

  it("at its run time limit, a report fails, stops its query and removes its file", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath(), runTimeLimitMs: 20 });
    const rows = endlessRows();
    await expect(rendererOf(() => rows)(request, contextOf())).rejects.toMatchObject({
      code: "RUN_TIME_LIMIT_EXCEEDED",
    });
    expect(existsSync(request.spoolPath)).toBe(false);
    expect(rows.bytes.destroyed).toBe(true);
  });

  it("aborting a report rejects with the reason, stops its query and removes its file", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath() });
    const cancel = new AbortController();
    let isReading: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => (isReading = resolve));
    const rows: RowStream = { ...createTestRows(columns, ""), bytes: new Readable({ read: () => isReading() }) };
    const rendering = rendererOf(() => rows)(request, contextOf(cancel.signal));
    await reading;
    const reason = new Error("cancelled");
    cancel.abort(reason);
    await expect(rendering).rejects.toBe(reason);
    expect(existsSync(request.spoolPath)).toBe(false);
    expect(rows.bytes.destroyed).toBe(true);
  });

  it("a report whose signal has already aborted opens no rows", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath() });
    const reason = new Error("too late");
    const rendering = rendererOf(() => expect.fail("rows were opened"))(request, contextOf(AbortSignal.abort(reason)));
    await expect(rendering).rejects.toBe(reason);
  });

  it("if reading rows fails, the report rejects with that error and removes its file", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath() });
    const lost = new StoreUnavailableError("The database went away.");
    const rows = endlessRows();
    rows.bytes.once("data", () => rows.bytes.destroy(lost));
    await expect(rendererOf(() => rows)(request, contextOf())).rejects.toBe(lost);
    expect(existsSync(request.spoolPath)).toBe(false);
  });

  it("a row with too few values fails the report with INVALID_DATA", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: spoolPath() });
    const rendering = rendererOf(() => createTestRows(columns, "a\n"))(request, contextOf());
    await expect(rendering).rejects.toMatchObject({
      code: "INVALID_DATA",
      message: expect.stringContaining("A row has 1 values") as string,
    });
  });

  it("a report whose scratch folder is missing fails with a retryable error", async () => {
    const request = createTestRenderRequest(columns, { spoolPath: join(folder, "missing", "file") });
    const rows = createTestRows(columns, wire);
    await expect(rendererOf(() => rows)(request, contextOf())).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(rows.bytes.destroyed).toBe(true);
  });

  it("the error of an unknown type or column says that this renderer lacks it", async () => {
    const render = rendererOf(() => createTestRows(columns, wire));
    const unknownType = render(createTestRenderRequest(columns, { reportType: "OTHER" }), contextOf());
    await expect(unknownType).rejects.toMatchObject({ because: "TYPE_UNKNOWN" });
    const unknownColumn = render(createTestRenderRequest(columns, { options: { columns: ["gone"] } }), contextOf());
    await expect(unknownColumn).rejects.toMatchObject({ because: "COLUMN_UNKNOWN" });
  });

  it("the renderer reports progress at most once per second, and never backwards", async () => {
    const progress: RenderProgress[] = [];
    const rows = "some name,1\n".repeat(200_000);
    let nowMs = 0;
    const render = rendererOf(
      () => createTestRows(columns, rows, { rowsTotal: 200_000 }),
      undefined,
      () => new Date((nowMs += 400)),
    );
    await render(createTestRenderRequest(columns, { spoolPath: spoolPath() }), contextOf(undefined, progress));
    expect(progress[0]).toEqual({ phase: "querying", rowsDone: 0, rowsTotal: null });
    const counts = progress.slice(1).map((step) => step.rowsDone);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.length).toBeLessThanOrEqual((nowMs - 400) / 1000);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toMatchObject({ phase: "rendering", rowsTotal: 200_000 });
  });

  it("if more rows arrive than were counted, progress and errors use the actual number", async () => {
    const progress: RenderProgress[] = [];
    const rows = "some name,1\n".repeat(200_000);
    let nowMs = 0;
    const render = (maxRows: number) =>
      rendererOf(
        () => createTestRows(columns, rows, { rowsTotal: 1 }),
        undefined,
        () => new Date((nowMs += 1_000)),
      )(createTestRenderRequest(columns, { spoolPath: spoolPath(), maxRows }), contextOf(undefined, progress));
    expect(await render(200_000)).toMatchObject({ rowCount: 200_000 });
    expect(progress.filter(({ rowsDone, rowsTotal }) => rowsTotal !== null && rowsDone > rowsTotal)).toEqual([]);
    await expect(render(100_000)).rejects.toThrow(
      "The report has more than 100,000 rows, and csv holds at most 100,000.",
    );
  });
});

describe("object rows", () => {
  async function renderObjects(
    objects: readonly ObjectRow[],
    kinds: Parameters<typeof createTestColumns>[0],
    timezone = "UTC",
  ) {
    const objectColumns = createTestColumns(kinds);
    const definition: ReportTypeDefinition = {
      ...createTestDefinition(objectColumns),
      rows: {
        kind: "objects",
        async *rows() {
          yield* objects;
        },
      },
    };
    const request = createTestRenderRequest(objectColumns, {
      spoolPath: spoolPath(),
      options: { format: "ndjson", timezone },
    });
    await rendererOf(() => expect.fail("the row source was asked"), definition)(request, contextOf());
    return readFileSync(request.spoolPath, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  it("files contain the exact values of object rows of every kind", async () => {
    const kinds = {
      a: "text",
      b: "integer",
      c: "bigint",
      d: "decimal",
      e: "ratio",
      f: "boolean",
      g: "date",
      h: "list",
    } as const;
    const object = {
      a: 'q" \\ ,\r\n 🙂',
      b: -5,
      c: 2n ** 70n,
      d: "0.10",
      e: 1e-7,
      f: false,
      g: "2026-02-28",
      h: ["", "a,b", 'c"\\', "NULL", "{}"],
    };
    expect(await renderObjects([object, { a: "" }], kinds)).toEqual([
      { ...object, c: "1180591620717411303424", e: "0.0000001" },
      { a: "", b: null, c: null, d: null, e: null, f: null, g: null, h: null },
    ]);
  });

  it("object rows show times in the report's time zone around a clock change", async () => {
    const instants = [
      "2026-10-25T00:30:00.120Z",
      "2026-10-25T01:30:00Z",
      "1890-01-01T00:00:00Z",
      "0001-06-01T00:00:00Z",
    ];
    const rows = await renderObjects(
      instants.map((instant) => ({ a: new Date(instant) })),
      { a: "timestamp" },
      "Europe/Berlin",
    );
    expect(rows.map((row) => row.a)).toEqual([
      "2026-10-25T02:30:00.12+02:00",
      "2026-10-25T02:30:00+01:00",
      "1890-01-01T00:53:00+00:53",
      "0001-06-01T00:53:00+00:53",
    ]);
  });

  it("lone surrogates and NUL in object rows are replaced", async () => {
    expect(await renderObjects([{ a: "x\uD800y\0z" }], { a: "text" })).toEqual([{ a: "x\uFFFDy\uFFFDz" }]);
  });

  it.each([
    ["text", 1],
    ["integer", 2 ** 53],
    ["integer", "9007199254740993"],
    ["bigint", 1.5],
    ["decimal", Number.NaN],
    ["decimal", "1e5"],
    ["boolean", "t"],
    ["timestamp", "2026-01-01"],
    ["timestamp", new Date(Number.NaN)],
    ["date", "1.1.2026"],
    ["list", "a"],
  ] as const)("a column of kind %s that contains %s fails the report", async (kind, value) => {
    const failure = renderObjects([{ a: value }], { a: kind });
    await expect(failure).rejects.toBeInstanceOf(PermanentReportError);
    await expect(failure).rejects.toMatchObject({ code: "INVALID_DATA" });
  });
});
