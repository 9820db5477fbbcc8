import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type {
  ColumnKind,
  RenderRequest,
  ReportColumn,
  ReportSummary,
  ReportTypeDefinition,
  ReportWarning,
  RowStream,
} from "@reports/core/report";
import { defaultBrand, type Brand } from "../brand/brand.ts";
import { foldGroupedRows } from "../renderer/fold-grouped-rows.ts";
import { createScratchFile, type ScratchFile } from "../renderer/scratch-file.ts";
import type { ByteSink, FormatRenderer, RenderContext } from "./format-renderer.ts";
import type { ObjectRowsContext } from "../wire/object-rows.ts";

export function createTestColumns(kinds: Readonly<Record<string, ColumnKind>>): ReportColumn[] {
  return Object.entries(kinds).map(([key, kind]) => ({ key, title: `Title of ${key}`, kind, width: 20 }));
}

export const emptySummary: ReportSummary = { figures: [], charts: [], attention: null };

export function createTestRows(
  columns: readonly ReportColumn[],
  wire: string | Buffer,
  given: { readonly chunkBytes?: number; readonly summary?: ReportSummary; readonly rowsTotal?: number } = {},
): RowStream {
  const bytes = typeof wire === "string" ? Buffer.from(wire) : wire;
  const size = given.chunkBytes ?? 64 * 1024;
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    // Each chunk has its own memory, because the reader may free it.
    Buffer.from(bytes.subarray(index * size, (index + 1) * size)),
  );
  return {
    columns,
    dataAsOf: new Date("2026-11-21T01:02:03.000Z"),
    rowsTotal: given.rowsTotal ?? null,
    summary: given.summary ?? emptySummary,
    bytes: Readable.from(chunks, { objectMode: true }),
  };
}

export function createTestDefinition(columns: readonly ReportColumn[]): ReportTypeDefinition {
  return {
    type: "FIXTURE",
    version: 1,
    title: "Fixture",
    description: "Rows of a test.",
    filters: [],
    columns,
    pdfColumns: columns.map(({ key }) => key),
    where: [],
    prominentFilters: [],
    defaultSort: [],
    groupable: [],
    formats: { csv: { maxRows: 5_000_000 }, ndjson: { maxRows: 5_000_000 }, pdf: { maxRows: 100 } },
    summary: { figures: [], charts: [] },
    rows: { kind: "relation", relation: "fixture" },
  };
}

export const testObjectRowsContext: ObjectRowsContext = {
  dataAsOf: new Date("2026-11-25T11:00:00Z"),
  locale: "en",
  language: "en",
  requester: { id: "basic:alice", name: null },
};

export function createTestRenderRequest(
  columns: readonly ReportColumn[],
  given: Partial<Omit<RenderRequest, "options">> & { readonly options?: Partial<RenderRequest["options"]> } = {},
): RenderRequest {
  return {
    reportId: "01930000-0000-7000-8000-000000000001",
    attempt: 1,
    reportType: "FIXTURE",
    title: "Fixture",
    requestedBy: "basic:alice",
    requesterName: null,
    createdAt: "2026-11-21T01:00:00.000Z",
    now: "2026-11-21T01:00:00.000Z",
    searchParam: {},
    spoolPath: "/nowhere",
    maxSpoolBytes: 2 ** 31,
    maxRows: 5_000_000,
    runTimeLimitMs: 60_000,
    keptRowsPath: null,
    ...given,
    options: {
      format: "csv",
      csvBom: false,
      compression: "none",
      columns: columns.map((column) => column.key),
      sort: [],
      groupBy: null,
      timezone: "UTC",
      locale: given.options?.language ?? "en",
      language: "en",
      paper: "A4",
      orientation: "auto",
      accessible: null,
      keepRows: false,
      ...given.options,
    },
  };
}

export function createTestScratchFile(): ScratchFile {
  return createScratchFile(join(tmpdir(), `scratch-${randomUUID()}`), { maxBytes: 2 ** 31, otherBytes: () => 0 });
}

export async function renderToBuffer(
  renderer: FormatRenderer,
  rows: RowStream,
  {
    brand = defaultBrand,
    definition = createTestDefinition(rows.columns),
    ...given
  }: Parameters<typeof createTestRenderRequest>[1] & {
    readonly brand?: Brand;
    readonly definition?: ReportTypeDefinition;
  } = {},
): Promise<{
  readonly bytes: Buffer;
  readonly warnings: readonly ReportWarning[];
  readonly rowCounts: readonly number[];
}> {
  const written: Buffer[] = [];
  const warnings: ReportWarning[] = [];
  const rowCounts: number[] = [];
  const sink: ByteSink = {
    async write(bytes) {
      written.push(Buffer.from(bytes));
    },
    async overwrite(at, bytes) {
      const whole = Buffer.concat(written.splice(0));
      whole.set(bytes, at);
      written.push(whole);
    },
  };
  const document = { request: createTestRenderRequest(rows.columns, given), definition, brand };
  const grouped = foldGroupedRows(rows, document);
  const scratch = createTestScratchFile();
  const context: RenderContext = {
    signal: new AbortController().signal,
    onRows: (count) => rowCounts.push(count),
    onRowsAhead: () => undefined,
    scratch,
    warn: (warning) => warnings.push(warning),
    largestSizes: new Map(),
    ...(grouped.groups === null ? {} : { groups: grouped.groups }),
  };
  try {
    await renderer.render(grouped.rows, document, sink, context);
  } finally {
    await scratch.close();
  }
  return { bytes: Buffer.concat(written), warnings, rowCounts };
}
