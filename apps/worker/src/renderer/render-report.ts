import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { type Clock, PermanentReportError, ReportNotServedError } from "@reports/core/base";
import {
  fileExtension,
  formerNamesOf,
  type FoldedRowStream,
  formatProperties,
  runTimeExceededError,
  withCurrentNames,
  type Render,
  type RenderProgress,
  type RenderRequest,
  type RenderResult,
  type ReportCatalogue,
  type ReportColumn,
  type ReportOptions,
  type ReportSummary,
  type ReportTypeDefinition,
  type ReportWarning,
  type RowRequest,
  type RowSourceReader,
  type RowStream,
} from "@reports/core/report";
import type { Brand } from "../brand/brand.ts";
import { BrokenRowsError } from "../wire/broken-rows-error.ts";
import { createCompressedSink } from "./compressed-sink.ts";
import type { FormatRenderer, RenderContext, DocumentInput } from "../formats/format-renderer.ts";
import {
  selectColumnKeysToRead,
  createGroupWarnings,
  toGroupedSortKeys,
  selectHiddenSubtotalKeys,
} from "../formats/group-rows.ts";
import { loadRenderer } from "../formats/load-renderer.ts";
import { openObjectRows } from "../wire/object-rows.ts";
import { selectWireColumns } from "../wire/select-wire-columns.ts";
import { bufferRowsInScratchFile, type BufferedRows } from "./buffer-rows-in-scratch-file.ts";
import { writeRowSnapshot, type RowSnapshotWriter } from "./write-row-snapshot.ts";
import { openRowSnapshot } from "./open-row-snapshot.ts";
import { foldGroupedRows } from "./fold-grouped-rows.ts";
import { extractLargestByteSizes, addLargestByteSizeFigures } from "./largest-sizes.ts";
import { toSummaryInTimezone } from "./local-summary.ts";
import { createRowLimiter, type RowLimiter } from "./row-limiter.ts";
import { createScratchFile } from "./scratch-file.ts";
import { openSpoolFile, toSpoolError } from "./spool-writer.ts";

export interface RenderDeps {
  readonly rowSource: RowSourceReader;
  readonly catalogue: Pick<ReportCatalogue, "find">;
  readonly csvFormulaGuard: boolean;
  readonly brand: Brand;
  readonly now?: Clock;
}

export function createRenderFunction(deps: RenderDeps): Render {
  return async (request, { signal, onProgress }) => {
    const run = new AbortController();
    const stop = () => run.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const limit = setTimeout(() => run.abort(runTimeExceededError(request.runTimeLimitMs)), request.runTimeLimitMs);
    try {
      return await renderReport(deps, request, run.signal, onProgress);
    } catch (error) {
      // After an abort, streams reject with other errors. Callers need the reason of the abort.
      if (run.signal.aborted) throw run.signal.reason;
      throw error instanceof BrokenRowsError ? new PermanentReportError("INVALID_DATA", error.message, error) : error;
    } finally {
      clearTimeout(limit);
      signal.removeEventListener("abort", stop);
    }
  };
}

async function renderReport(
  deps: RenderDeps,
  given: RenderRequest,
  signal: AbortSignal,
  onProgress: (progress: RenderProgress) => void,
): Promise<RenderResult> {
  signal.throwIfAborted();
  const definition = findDefinition(deps, given.reportType);
  const request = withCurrentNames(definition, given);
  const { options } = request;
  const renderer = await loadRenderer(options.format, { formulaGuard: deps.csvFormulaGuard });
  onProgress({ phase: "querying", rowsDone: 0, rowsTotal: null });
  const gate = createRowLimiter({
    request,
    definition,
    onProgress,
    nowMs: () => deps.now?.().getTime() ?? performance.now(),
  });
  const asked =
    renderer.needsLargestSizes === true ? addLargestByteSizeFigures(definition, options.columns) : definition;
  const opened = await openRows(deps, asked, request, {
    withSummary: formatProperties[options.format].showsSummary || options.keepRows,
    onCounted: gate.onTotal,
    signal,
  });
  const destroyRows = destroyOnAbort(opened.bytes, signal);
  try {
    if (opened.rowsTotal !== null) gate.onTotal(opened.rowsTotal);
    const buffered = await bufferIfNeeded(opened, request, gate);
    const { rows, largestSizes } = extractLargestByteSizes(buffered ?? opened);
    const destroyBuffered = destroyOnAbort(rows.bytes, signal);
    try {
      if (rows.rowsTotal !== null) gate.onTotal(rows.rowsTotal);
      const sourceBytes = request.keptRowsPath === null ? 0 : await readSourceSize(request.keptRowsPath);
      const bufferedBytes = sourceBytes + (buffered?.bufferedBytes ?? 0);
      return await writeReportFile(
        renderer,
        rows,
        { request, definition, brand: deps.brand },
        { gate, signal, bufferedBytes, largestSizes },
      );
    } finally {
      destroyBuffered();
    }
  } finally {
    destroyRows();
  }
}

async function readSourceSize(path: string): Promise<number> {
  const { size } = await stat(path).catch((error: unknown) => Promise.reject(toSpoolError(error)));
  return size;
}

function destroyOnAbort(bytes: Readable, signal: AbortSignal): () => void {
  // A stream can fail before or after it is read. Without a listener, its error would end the process.
  bytes.on("error", () => undefined);
  const destroy = (): void => void bytes.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  signal.addEventListener("abort", destroy, { once: true });
  if (signal.aborted) destroy();
  return () => {
    signal.removeEventListener("abort", destroy);
    bytes.destroy();
  };
}

/** Buffers all rows first if the file or its row snapshot has the summary before the rows. Returns null if nothing needs buffering. */
async function bufferIfNeeded(
  rows: RowStream | FoldedRowStream,
  { options, spoolPath, maxSpoolBytes }: RenderRequest,
  gate: RowLimiter,
): Promise<BufferedRows | null> {
  const isAsked = formatProperties[options.format].summaryFirst || options.keepRows;
  if (!isAsked || typeof rows.summary !== "function") return null;
  const place = { path: `${spoolPath}-rows`, maxBytes: maxSpoolBytes, onRows: gate.onBuffered };
  return bufferRowsInScratchFile(rows as FoldedRowStream, place);
}

async function writeReportFile(
  renderer: FormatRenderer,
  rows: RowStream | FoldedRowStream,
  document: DocumentInput,
  {
    gate,
    signal,
    bufferedBytes,
    largestSizes,
  }: Pick<RenderContext, "signal" | "largestSizes"> & { readonly gate: RowLimiter; readonly bufferedBytes: number },
): Promise<RenderResult> {
  const { request, definition } = document;
  const { options, spoolPath, maxSpoolBytes } = request;
  let kept: RowSnapshotWriter | null = null;
  const keptBytes = (): number => bufferedBytes + (kept?.sizeBytes() ?? 0);
  const otherBytes = (): number => keptBytes() + scratch.sizeBytes();
  const spool = await openSpoolFile(spoolPath, { maxBytes: maxSpoolBytes, otherBytes, signal });
  const scratch = createScratchFile(`${spoolPath}-ahead`, {
    maxBytes: maxSpoolBytes,
    otherBytes: () => keptBytes() + spool.sizeBytes(),
  });
  const sink = createCompressedSink(spool, options.compression);
  const warnings: ReportWarning[] = [...(rows.warnings ?? []), ...createGroupWarnings(options, definition)];
  try {
    let shown = rows;
    if (options.keepRows) {
      // With `keepRows`, the rows were buffered. So their summary is already known, and `rows` is a RowStream.
      kept = await writeRowSnapshot(rows as RowStream, request, {
        definitionVersion: definition.version,
        otherBytes: () => bufferedBytes + spool.sizeBytes() + scratch.sizeBytes(),
        signal,
      });
      shown = withShownColumns({ ...rows, bytes: kept.bytes }, definition, options);
    }
    const grouped = foldGroupedRows(shown, document);
    const destroyShown = destroyOnAbort(grouped.rows.bytes, signal);
    const context: RenderContext = {
      signal,
      onRows: gate.onRows,
      onRowsAhead: gate.onBuffered,
      scratch,
      warn: (warning) => warnings.push(warning),
      largestSizes,
      ...(grouped.groups === null ? {} : { groups: grouped.groups }),
    };
    await renderer.render(withLocalSummary(grouped.rows, document), document, sink, context).finally(destroyShown);
    await sink.finish();
    const file = await spool.finish();
    return {
      rowCount: gate.rowsDone(),
      ...file,
      extension: fileExtension(options.format, options.compression),
      // The column of group headings is always read, but is listed in the result only if the caller requested it.
      columns: options.columns.map((key) => findColumn(definition, key)),
      dataAsOf: rows.dataAsOf.toISOString(),
      warnings,
      keptRows: (await kept?.finish()) ?? null,
    };
  } catch (error) {
    sink.discard();
    await spool.discard();
    await kept?.discard();
    throw error;
  } finally {
    await scratch.close();
  }
}

function withLocalSummary<Rows extends RowStream | FoldedRowStream>(
  rows: Rows,
  { request, definition }: DocumentInput,
): Rows {
  const { summary } = rows;
  const inZone = (read: ReportSummary): ReportSummary =>
    toSummaryInTimezone(read, definition, request.options.timezone);
  return { ...rows, summary: typeof summary === "function" ? () => inZone(summary()) : inZone(summary) };
}

function withShownColumns<Rows extends RowStream | FoldedRowStream>(
  rows: Rows,
  definition: ReportTypeDefinition,
  options: ReportOptions,
): Rows {
  const keys = selectColumnKeysToRead(options, definition);
  const columns = keys.map((key) => findColumn(definition, key));
  return { ...rows, columns, bytes: selectWireColumns(rows.bytes, { from: rows.columns, to: columns }) };
}

function findDefinition(deps: RenderDeps, type: string): ReportTypeDefinition {
  const definition = deps.catalogue.find(type);
  if (definition !== undefined) return definition;
  throw new ReportNotServedError("TYPE_UNKNOWN", `This renderer does not know the report type ${type}.`);
}

async function openRows(
  deps: RenderDeps,
  definition: ReportTypeDefinition,
  request: RenderRequest,
  how: Pick<RowRequest, "withSummary" | "onCounted" | "signal">,
): Promise<RowStream | FoldedRowStream> {
  const { options, keptRowsPath } = request;
  if (keptRowsPath !== null) {
    const rows = await openRowSnapshot(keptRowsPath, options, {
      formerKeys: formerNamesOf(definition).columns,
      ofSubtotals: selectHiddenSubtotalKeys(options, definition),
    });
    if (definition.rows.kind !== "objects" || formatProperties[options.format].summaryFirst) return rows;
    // In formats without `summaryFirst`, the summary of object rows comes after the rows. An additional format must have the same order as the
    // report itself.
    return { ...rows, summary: () => rows.summary, rowsPassed: () => rows.rowsTotal ?? 0 };
  }
  const keys = selectColumnKeysToRead(options, definition);
  const rowRequest: RowRequest = {
    definition,
    columns: options.keepRows ? definition.columns : keys.map((key) => findColumn(definition, key)),
    searchParam: request.searchParam,
    sort: toGroupedSortKeys(options),
    timezone: options.timezone,
    statementTimeoutMs: request.runTimeLimitMs,
    attempt: request.attempt,
    ...how,
  };
  if (definition.rows.kind === "objects")
    return openObjectRows(definition.rows, rowRequest, {
      dataAsOf: deps.now?.() ?? new Date(request.now),
      locale: options.locale,
      language: options.language,
      // For an additional format, this is the requester of the report. For a report of a schedule, it is the owner of the schedule.
      requester: { id: request.requestedBy, name: request.requesterName },
    });
  return deps.rowSource.open(rowRequest);
}

function findColumn(definition: ReportTypeDefinition, key: string): ReportColumn {
  const column = definition.columns.find((candidate) => candidate.key === key);
  if (column !== undefined) return column;
  throw new ReportNotServedError(
    "COLUMN_UNKNOWN",
    `The report type ${definition.type} has no column ${key} in this renderer.`,
  );
}
