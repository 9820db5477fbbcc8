import {
  PermanentReportError,
  ReportNotServedError,
  StoreMismatchError,
  StoreUnavailableError,
} from "../../base/errors.ts";
import type { PutFile } from "../../base/file-store.ts";
import { startAttemptHeartbeat, type AttemptHeartbeat } from "./attempt-heartbeat.ts";
import { endFailedAttempt, type RunOutcome } from "./end-failed-attempt.ts";
import { toFileName } from "./file-name.ts";
import { removeListedFiles } from "../files/file-removal.ts";
import { mediaTypeOf } from "../types/format.ts";
import { computeRequeueDelayMs, findWorkerRefusal } from "./refusal.ts";
import {
  rowSnapshotContentType,
  rowSnapshotExtension,
  type RowSnapshot,
  type NewRowSnapshot,
} from "../lifecycle/row-snapshot.ts";
import type { Report } from "../lifecycle/report-record.ts";
import type { ReportFile } from "../files/report-file.ts";
import { rowSnapshotPathOf, type RenderRequest, type RenderResult, type SpooledRows } from "./render.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import type { RunDeps } from "./run-deps.ts";
import { createStorageKey } from "../files/storage-key.ts";

/** Age up to which an earlier check of the store's identity is reused before a claim. The identity is checked again before the file is stored. */
const identityMaxAgeMs = 1_000;

/**
 * Runs one attempt: claims the report, renders the file, stores it and publishes it. Resolves when the record shows the outcome. Rejects with
 * FencedOutError if the report was cancelled, deleted or claimed again; then nothing of this attempt is visible. Rejects with StoreMismatchError
 * before the claim in the wrong store, and with StoreUnavailableError if the outcome could not be written.
 */
export async function runReport(deps: RunDeps, reportId: string, signal: AbortSignal): Promise<RunOutcome> {
  await rejectOnlyOnMismatch(deps.identity.assert({ maxAgeMs: identityMaxAgeMs, signal }));
  await deps.host.check(signal);
  const claim = await deps.reports.claim(reportId, {
    workerId: deps.workerId,
    leaseMs: deps.limits.leaseMs,
    refusalOf: (waiting, needs) => findWorkerRefusal(deps, waiting, needs),
    delayOf: (past) => computeRequeueDelayMs(past, deps.retryPace),
  });
  if (claim.kind === "handed-back") {
    const { kind, report, refusal, delayMs } = claim;
    return { kind, report, delayMs, because: refusal.because, message: refusal.message };
  }
  if (claim.kind !== "claimed") return { kind: claim.kind };
  const { report, past, requeues, isRequesterAllowed } = claim;
  await using attempt = startAttemptHeartbeat(deps, report, signal);
  try {
    return { kind: "succeeded", report: await produceFile(deps, report, isRequesterAllowed, attempt) };
  } catch (error) {
    // After an abort, the work can fail with any error. The cause is the signal's reason.
    const cause: unknown = attempt.signal.aborted ? attempt.signal.reason : error;
    // Without this await, `attempt` would be disposed first. Its disposal can wait for a heartbeat, and a rejection would be unhandled meanwhile.
    return await endFailedAttempt(deps, { report, past, requeues }, cause);
  }
}

/** Rejects only if the store is the wrong one. An unavailable store is ignored here, because a failed put is retried. */
const rejectOnlyOnMismatch = async <Result>(check: Promise<Result>): Promise<Result | null> =>
  check.catch((error: unknown) => {
    if (error instanceof StoreMismatchError) throw error;
    return null;
  });

async function produceFile(
  deps: RunDeps,
  report: Report,
  isRequesterAllowed: boolean,
  attempt: AttemptHeartbeat,
): Promise<Report> {
  const refusal = findWorkerRefusal(deps, report);
  // If `onlyIfElsewhere` is set, the claim found no other worker that can run the report, so this worker must run it.
  if (refusal !== null && refusal.onlyIfElsewhere !== true)
    throw new ReportNotServedError(refusal.because, refusal.message);
  const definition = deps.catalogue.find(report.reportType)!;
  if (!isRequesterAllowed) {
    throw new PermanentReportError(
      "AUTHORITY_REVOKED",
      `${report.requestedBy} no longer holds the authority for reports of the type ${report.reportType}. Have it granted again, then start the report again.`,
    );
  }
  const spoolPath = deps.spoolPathOf(report.id, report.attempt);
  const rowsPath = `${spoolPath}-source`;
  // The spool files to remove at the end. After a success, the store has moved the report's files out of the spool, so only fetched rows are left.
  let leftovers = [spoolPath, rowSnapshotPathOf(spoolPath), rowsPath];
  try {
    const rows = report.fileOf === null ? null : await fetchRows(deps, report.fileOf, rowsPath, attempt.signal);
    const { requestedBy, requesterName, createdAt } = rows ?? report;
    const shown = { ...report, requestedBy, requesterName, createdAt };
    const request = toRenderRequest(deps, shown, definition, spoolPath);
    const result = await deps.render(rows === null ? request : { ...request, keptRowsPath: rowsPath }, {
      signal: attempt.signal,
      onProgress: attempt.advance,
    });
    attempt.advance({ phase: "storing", rowsDone: result.rowCount, rowsTotal: result.rowCount });
    const published = await publish(deps, shown, result, { spoolPath, signal: attempt.signal });
    leftovers = rows === null ? [] : [rowsPath];
    return published;
  } finally {
    await deps.removeSpooled(leftovers);
  }
}

async function fetchRows(deps: RunDeps, reportId: string, path: string, signal: AbortSignal): Promise<RowSnapshot> {
  const rows = await deps.reports.findKeptRows(reportId);
  if (rows === null) {
    throw new PermanentReportError(
      "ROWS_LOST",
      "The row snapshot of the report is no longer stored. Start the report again.",
    );
  }
  await deps.fetchKeptRows(rows, path, signal);
  return rows;
}

async function publish(
  deps: RunDeps,
  report: Report,
  result: RenderResult,
  { spoolPath, signal }: { readonly spoolPath: string; readonly signal: AbortSignal },
): Promise<Report> {
  const file = toReportFile(deps, report, result);
  const stored: string[] = [];
  const put = async (one: Omit<PutFile, "signal">): Promise<string> => {
    const { version } = await deps.files.put({ ...one, signal });
    stored.push(one.key);
    return version;
  };
  // A quick check of the store's identity suffices, because the identity is checked again before the record names the file.
  await deps.identity.assert({ glance: true, signal });
  try {
    const keptRows = result.keptRows && (await storeRows(deps, report, result.keptRows, { spoolPath, put }));
    const { storageKey: key, sizeBytes, sha256, contentType } = file;
    const storedVersion = await put({ key, path: spoolPath, sizeBytes, sha256, contentType });
    // Detects a volume that was unmounted before the file was stored. The file is then in the folder below the mount point, not in the store.
    const storeId = await rejectOnlyOnMismatch(deps.identity.readId({ signal }));
    signal.throwIfAborted();
    return await deps.reports.complete(report.id, report.attempt, {
      file: { ...file, storedVersion },
      rowCount: result.rowCount,
      dataAsOf: new Date(result.dataAsOf),
      warnings: result.warnings,
      retentionMs: deps.limits.retentionMs,
      keptRows,
      storeId,
    });
  } catch (error) {
    // Remove the stored files only if the record certainly does not name them. A write whose response was lost may have been committed.
    const isUnnamed = stored.length === 0 || !stored.includes(file.storageKey);
    if (isUnnamed || error instanceof StoreMismatchError || !(error instanceof StoreUnavailableError))
      for (const key of stored) await abandonFile(deps, report.id, key);
    throw error;
  }
}

async function storeRows(
  deps: RunDeps,
  report: Report,
  { dataSha256, ...bytes }: SpooledRows,
  { spoolPath, put }: { spoolPath: string; put(one: Omit<PutFile, "signal">): Promise<string> },
): Promise<NewRowSnapshot> {
  // The key contains the ID of the report, because the row snapshot has no ID yet.
  const storageKey = createStorageKey(report, deps.newId().slice(-12), rowSnapshotExtension);
  const path = rowSnapshotPathOf(spoolPath);
  const storedVersion = await put({ key: storageKey, path, ...bytes, contentType: rowSnapshotContentType });
  return { id: deps.newId(), file: { ...bytes, storageKey, storedVersion }, dataSha256 };
}

/** Puts a stored file that no record names on the removal list, and removes it. Ignores errors, because the attempt rejects anyway. */
async function abandonFile(deps: RunDeps, reportId: string, key: string): Promise<void> {
  try {
    await deps.removals.abandon(key, reportId);
    await removeListedFiles(deps, [key], () => undefined);
  } catch {
    // If this removal fails, the retention or the reconciler removes the file later.
  }
}

function toRenderRequest(
  deps: RunDeps,
  report: Report,
  definition: ReportTypeDefinition,
  spoolPath: string,
): RenderRequest {
  return {
    reportId: report.id,
    attempt: report.attempt,
    reportType: report.reportType,
    title: report.title,
    requestedBy: report.requestedBy,
    requesterName: report.requesterName,
    createdAt: report.createdAt.toISOString(),
    now: deps.clock().toISOString(),
    searchParam: report.searchParam,
    options: report.options,
    spoolPath,
    maxSpoolBytes: deps.limits.maxSpoolBytes,
    maxRows: definition.formats[report.options.format]?.maxRows ?? 0,
    runTimeLimitMs: deps.limits.runTimeLimitMs,
    keptRowsPath: null,
  };
}

function toReportFile(deps: RunDeps, report: Report, result: RenderResult): Omit<ReportFile, "storedVersion"> {
  return {
    // The ID of an additional format is also the ID of its file.
    id: report.fileOf === null ? deps.newId() : report.id,
    fileName: toFileName(report, result.extension),
    extension: result.extension,
    contentType: mediaTypeOf(result.extension),
    sizeBytes: result.sizeBytes,
    sha256: result.sha256,
    columns: result.columns.map((column) => column.key),
    storageKey: createStorageKey(report, deps.newId().slice(-12), result.extension),
  };
}
