import type { Report, ReportStore } from "@reports/core/report";
import { and, asc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import { buildStatementOnce } from "../database/build-once.ts";
import type { Database } from "../database/database.ts";
import { requeuedColumns, isServedByOtherWorkers } from "./requeues.ts";
import { enqueueReports, removeReportJobs } from "../queue/queue.ts";
import { createStartWriter, findExistingStart } from "./queue-starts.ts";
import { lockUnfinishedReport } from "./attempt-statements.ts";
import { createSingleClaimWriter } from "./claim-reports.ts";
import { createSingleCompletionWriter } from "./complete-reports.ts";
import { timeFromNowSql } from "../database/interval-sql.ts";
import { findRendition, findRowSnapshot, listRenditions } from "./report-files.ts";
import { removeReportWithFiles } from "./remove-report.ts";
import { reportRecordColumns, toReport } from "./report-row.ts";
import {
  addReportEvent,
  initialProgressColumns,
  nextRevisionColumns,
  endedReportColumns,
  writeAttemptEnd,
  isCurrentAttempt,
  clearedLeaseColumns,
  systemActor,
  updateReport,
} from "./report-transitions.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";

const selectReport = buildStatementOnce((queries) =>
  queries
    .select(reportRecordColumns)
    .from(reports)
    .where(and(eq(reports.id, sql.placeholder("id")), isNull(reports.fileOf))),
);

const selectEvents = buildStatementOnce((queries) =>
  queries
    .select()
    .from(reportEvents)
    .where(and(eq(reportEvents.reportId, sql.placeholder("reportId")), gt(reportEvents.id, sql.placeholder("afterId"))))
    .orderBy(asc(reportEvents.id)),
);

/** `actor` is written to the events of attempts: `worker:<id>`. `remove` also returns the reports that it cancelled, including additional formats. */
export function createReportStore(
  database: Database,
  { actor: ownActor = systemActor }: { readonly actor?: string } = {},
): Omit<ReportStore, "remove"> & {
  remove(id: string, actor: string): Promise<(Report & { readonly cancelled: readonly Report[] }) | null>;
} {
  const [claim, complete] = [
    createSingleClaimWriter(database, ownActor),
    createSingleCompletionWriter(database, ownActor),
  ];
  const ofAttempt = (id: string, attempt: number) => ({ id, attempt, actor: ownActor });
  return {
    createQueued: createStartWriter(database),

    findStarted: (coalesceKey, once) => database.query((queries) => findExistingStart(queries, coalesceKey, once)),

    find: (id) =>
      database.query(async (queries) => {
        const [row] = await selectReport(queries, { id });
        return row === undefined ? null : toReport(row);
      }),

    findFile: (reportId, fileId) => database.query((queries) => findRendition(queries, reportId, fileId)),

    listFiles: (reportId) => database.query((queries) => listRenditions(queries, reportId)),

    findKeptRows: (reportId) => database.query((queries) => findRowSnapshot(queries, reportId)),

    listEvents: (reportId, afterId = 0) => database.query((queries) => selectEvents(queries, { reportId, afterId })),

    claim: async (id, terms) => claim({ id, terms }),

    heartbeat: (id, attempt, { leaseMs, progress }) =>
      database.query(async (queries) => {
        const rows = await queries
          .update(reports)
          .set({
            leaseExpiresAt: timeFromNowSql(leaseMs),
            ...(progress && {
              ...nextRevisionColumns,
              progressPhase: progress.phase,
              rowsDone: sql`greatest(${reports.rowsDone}, ${progress.rowsDone}::bigint)`,
              rowsTotal: progress.rowsTotal,
              percent: sql`greatest(${reports.percent}, ${progress.percent}::integer)`,
            }),
          })
          .where(isCurrentAttempt(id, attempt))
          .returning({ id: reports.id });
        return rows.length === 1;
      }),

    complete: async (id, attempt, completion) => complete({ id, attempt, completion }),

    fail: (id, attempt, { code, detail, retryable, spendsFailure }) =>
      database.transaction(async (tx) => {
        const row = await writeAttemptEnd(tx, ofAttempt(id, attempt), {
          status: "FAILED",
          ...endedReportColumns,
          failures: failuresAfter(spendsFailure),
          errorCode: code,
          errorDetail: detail,
          errorRetryable: retryable,
        });
        return toReport(row);
      }),

    isServedElsewhere: (id, worker) => database.query((queries) => isServedByOtherWorkers(queries, id, worker)),

    requeue: (id, attempt, { delayMs, spendsFailure, lane, because, spoolExceededBytes }) =>
      database.transaction(async (tx) => {
        const event = { ...ofAttempt(id, attempt), because };
        const row = await writeAttemptEnd(tx, event, {
          status: "QUEUED",
          ...clearedLeaseColumns,
          ...initialProgressColumns,
          ...(because === undefined ? {} : requeuedColumns(because)),
          ...(spoolExceededBytes === undefined ? {} : { spoolExceededBytes }),
          failures: failuresAfter(spendsFailure),
          lane,
        });
        await enqueueReports(tx, [id], { minMs: delayMs, maxMs: delayMs });
        return toReport(row);
      }),

    cancel: (id, actor) =>
      database.transaction(async (tx) => {
        const before = await lockUnfinishedReport(tx, id);
        if (before === null) return null;
        const row = await updateReport(tx, and(eq(reports.id, id), eq(reports.status, before.status)), {
          status: "CANCELLED",
          ...endedReportColumns,
        });
        if (row === null) return null;
        await addReportEvent(tx, row, { from: before.status, actor });
        await removeReportJobs(tx, [id]);
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
        const removed = await removeReportWithFiles(tx, id, actor);
        if (removed === null) return null;
        return { ...toReport(removed.record), cancelled: removed.cancelled.map(toReport) };
      }),
  };
}

function failuresAfter(spendsFailure: boolean): SQL {
  return spendsFailure ? sql`${reports.failures} + 1` : sql`${reports.failures}`;
}
