import { FencedOutError, type Claim, type ReportStore } from "@reports/core";
import { and, asc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import { buildOnce } from "../database/build-once.ts";
import type { Database } from "../database/database.ts";
import { handedBack, readHandBacks, refuseClaim } from "./hand-backs.ts";
import { enqueueReports, removeJobs } from "../queue/queue.ts";
import { createQueuedStarts, findStarted } from "./queue-starts.ts";
import { addAttemptEvent, claimRow, completeRow, lockOpen } from "./attempt-statements.ts";
import { fromNow } from "../database/interval.ts";
import { findFile, findKeptRows, insertKeptRows, listFiles } from "./report-files.ts";
import { removeWithFiles } from "./remove-report.ts";
import { reportColumns, toReport, toReportEvent } from "./report-row.ts";
import {
  addEvent,
  beginning,
  changed,
  ended,
  leaveRunning,
  owned,
  released,
  systemActor,
  updateReport,
} from "./report-transitions.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";

const selectReport = buildOnce((queries) =>
  queries
    .select(reportColumns)
    .from(reports)
    .where(and(eq(reports.id, sql.placeholder("id")), isNull(reports.fileOf))),
);

const selectEvents = buildOnce((queries) =>
  queries
    .select()
    .from(reportEvents)
    .where(and(eq(reportEvents.reportId, sql.placeholder("reportId")), gt(reportEvents.id, sql.placeholder("afterId"))))
    .orderBy(asc(reportEvents.id)),
);

/** Reports in Postgres. `actor` stands in the events of attempts: `worker:<id>`. */
export function createReportStore(
  database: Database,
  { actor: ownActor = systemActor }: { readonly actor?: string } = {},
): ReportStore {
  const mine = (id: string, attempt: number) => ({ id, attempt, actor: ownActor });
  return {
    createQueued: createQueuedStarts(database),

    findStarted: (coalesceKey, once) => database.query((queries) => findStarted(queries, coalesceKey, once)),

    find: (id) =>
      database.query(async (queries) => {
        const [row] = await selectReport(queries, { id });
        return row === undefined ? null : toReport(row);
      }),

    findFile: (reportId, fileId) => database.query((queries) => findFile(queries, reportId, fileId)),

    listFiles: (reportId) => database.query((queries) => listFiles(queries, reportId)),

    findKeptRows: (reportId) => database.query((queries) => findKeptRows(queries, reportId)),

    listEvents: (reportId, afterId = 0) =>
      database.query(async (queries) => {
        const rows = await selectEvents(queries, { reportId, afterId });
        return rows.map(toReportEvent);
      }),

    claim: (id, terms) =>
      database.transaction(async (tx): Promise<Claim> => {
        const before = await lockOpen(tx, id);
        if (before === null) return { kind: "closed" };
        const refused = await refuseClaim(tx, before, { ...terms, actor: ownActor });
        if (refused !== null) return refused;
        const transition = { id, attempt: before.attempt + 1, to: "RUNNING", actor: ownActor } as const;
        const claimed = claimRow(tx, { id, workerId: terms.workerId, leaseMs: terms.leaseMs });
        const isTakenOver = before.status === "RUNNING";
        // Usually both in one packet.
        const [row] = await Promise.all([
          claimed,
          isTakenOver ? null : addAttemptEvent(tx, { ...transition, from: "QUEUED" }),
        ]);
        if (row === null) return { kind: "held" };
        // Taking over from a dead worker is a retry and a claim.
        if (isTakenOver) {
          await addEvent(tx, { ...before, status: "QUEUED" }, { from: "RUNNING", actor: ownActor });
          await addAttemptEvent(tx, { ...transition, from: "QUEUED" });
        }
        const { lane, losses, failures, maxFailures } = row;
        const past = { lane, losses, failures, maxFailures };
        return { kind: "claimed", report: toReport(row), past, handBacks: await readHandBacks(tx, row) };
      }),

    heartbeat: (id, attempt, { leaseMs, progress }) =>
      database.query(async (queries) => {
        const rows = await queries
          .update(reports)
          .set({
            leaseExpiresAt: fromNow(leaseMs),
            ...(progress && {
              ...changed,
              progressPhase: progress.phase,
              rowsDone: sql`greatest(${reports.rowsDone}, ${progress.rowsDone}::bigint)`,
              rowsTotal: progress.rowsTotal,
              percent: sql`greatest(${reports.percent}, ${progress.percent}::integer)`,
            }),
          })
          .where(owned(id, attempt))
          .returning({ id: reports.id });
        return rows.length === 1;
      }),

    complete: (id, attempt, { file, rowCount, dataAsOf, warnings, retentionMs, keptRows = null }) =>
      database.transaction(async (tx) => {
        const [row] = await Promise.all([
          completeRow(tx, {
            id,
            attempt,
            retentionMs,
            dataSha256: keptRows?.dataSha256 ?? null,
            dataAsOf,
            rowCount,
            warnings: warnings.map(({ message }) => message),
            warningCodes: warnings.map(({ code }) => code),
            fileId: file.id,
            fileName: file.fileName,
            fileExtension: file.extension,
            fileContentType: file.contentType,
            fileSizeBytes: file.sizeBytes,
            fileSha256: file.sha256,
            fileColumns: [...file.columns],
            fileStorageKey: file.storageKey,
            fileStoredVersion: file.storedVersion,
          }),
          addAttemptEvent(tx, { ...mine(id, attempt), from: "RUNNING", to: "SUCCEEDED" }),
        ]);
        // An event of an attempt that ended before this one is rolled back with the rest.
        if (row === null) throw new FencedOutError(id, attempt);
        if (keptRows !== null) await insertKeptRows(tx, row, keptRows);
        return toReport(row);
      }),

    fail: (id, attempt, { code, detail, retryable, spendsFailure }) =>
      database.transaction(async (tx) => {
        const row = await leaveRunning(tx, mine(id, attempt), {
          status: "FAILED",
          ...ended,
          failures: spent(spendsFailure),
          errorCode: code,
          errorDetail: detail,
          errorRetryable: retryable,
        });
        return toReport(row);
      }),

    requeue: (id, attempt, { delayMs, spendsFailure, lane, because }) =>
      database.transaction(async (tx) => {
        const told = { ...mine(id, attempt), because };
        const row = await leaveRunning(tx, told, {
          status: "QUEUED",
          ...released,
          ...beginning,
          ...(because === undefined ? {} : handedBack(because)),
          failures: spent(spendsFailure),
          lane,
        });
        await enqueueReports(tx, [id], { minMs: delayMs, maxMs: delayMs });
        return toReport(row);
      }),

    cancel: (id, actor) =>
      database.transaction(async (tx) => {
        const before = await lockOpen(tx, id);
        if (before === null) return null;
        const row = await updateReport(tx, and(eq(reports.id, id), eq(reports.status, before.status)), {
          status: "CANCELLED",
          ...ended,
        });
        if (row === null) return null;
        await addEvent(tx, row, { from: before.status, actor });
        await removeJobs(tx, [id]);
        return toReport(row);
      }),

    rename: (id, revision, title) =>
      database.transaction(async (queries) => {
        const where = and(eq(reports.id, id), eq(reports.revision, revision), isNull(reports.deletedAt));
        const row = await updateReport(queries, where, { title });
        return row === null ? null : toReport(row);
      }),

    remove: (id, actor) =>
      database.transaction(async (tx) => {
        const removed = await removeWithFiles(tx, id, actor);
        return removed === null ? null : toReport(removed);
      }),
  };
}

function spent(spendsFailure: boolean): SQL {
  return spendsFailure ? sql`${reports.failures} + 1` : sql`${reports.failures}`;
}
