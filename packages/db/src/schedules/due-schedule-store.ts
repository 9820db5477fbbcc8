import {
  maxScheduleFailuresInRow,
  maxUnfinishedPerSchedule,
  ownerAuthorityStates,
  type DueSchedule,
  type DueScheduleStore,
  type DueRunsDecision,
  type ScheduleRunContext,
  type DueRunsResult,
} from "@reports/core/schedule";
import { and, asc, eq, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { timeAgoSql, isFuture } from "../database/interval-sql.ts";
import type { Queries } from "../database/queries.ts";
import { insertQueuedReports } from "../reports/insert-queued-reports.ts";
import { reportScheduleRuns, reportSchedules } from "../schema/report-schedules.ts";
import { insertScheduleRuns } from "./insert-schedule-runs.ts";
import { ownerAuthoritySql } from "./ownership.ts";
import { pauseSchedule } from "./pause-schedule.ts";
import { toSchedule, type StoredSchedule } from "./schedule-row.ts";

const isActive = and(eq(reportSchedules.status, "ACTIVE"), isNull(reportSchedules.deletedAt));
// Versions such as 2026c must be compared as bytes, also in a database with another collation.
const comparableTzVersion = sql`${reportSchedules.tzVersion} collate "C"`;

const factsRowSchema = z.object({
  now: z.coerce.date(),
  ownership: z.enum(ownerAuthorityStates),
  openReports: z.coerce.number(),
  failuresInRow: z.coerce.number(),
});

const endedColumns = {
  status: "ENDED" as const,
  nextFireAt: null,
  revision: sql`${reportSchedules.revision} + 1`,
  updatedAt: sql`now()`,
};

export function createDueScheduleStore(database: Database): DueScheduleStore {
  return {
    listDue: (tzVersion, limit, after) =>
      database.query(async (queries) => {
        const { nextFireAt, id } = reportSchedules;
        const rest =
          after === undefined
            ? undefined
            : sql`(${nextFireAt}, ${id}) > (${after.nextFireAt?.toISOString()}::timestamptz, ${after.id}::uuid)`;
        const rows = await queries
          .select()
          .from(reportSchedules)
          .where(and(isActive, isDue(tzVersion), rest))
          .orderBy(asc(nextFireAt), asc(id))
          .limit(limit);
        return rows.map((row) => toSchedule(row, null));
      }),

    run: (id, tzVersion, context, decide) =>
      database.transaction(
        async (tx): Promise<DueRunsResult | null> => {
          const row = await lockSchedule(tx, and(eq(reportSchedules.id, id), isActive, isDue(tzVersion)));
          if (row === null) return null;
          const due = await readDueSchedule(tx, row, context.confirmDays);
          const decision = decide(due);
          if (decision === null) return null;
          return { decision, at: due.now, reportId: await writeDecision(tx, row, { decision, context, tzVersion }) };
        },
        async (queries) =>
          (await queries.$count(reportSchedules, and(eq(reportSchedules.id, id), isDue(tzVersion)))) === 0,
      ),

    recompute: (tzVersion, nextOf, limit) =>
      database.transaction(async (tx) => {
        const isAhead = isFuture(reportSchedules.countedFrom);
        const rows = await tx
          .select({
            row: reportSchedules,
            isAhead: sql<boolean>`${isAhead}`,
            now: sql`clock_timestamp()`.mapWith(reportSchedules.countedFrom),
          })
          .from(reportSchedules)
          .where(and(isActive, or(sql`${comparableTzVersion} < ${tzVersion}`, isAhead)))
          .limit(limit)
          .for("update", { skipLocked: true });
        for (const { row, isAhead, now } of rows) {
          // After Postgres's clock was set back, times come again. A time whose run was skipped may still run; one that started a report may not.
          const countedFrom = isAhead ? now : row.countedFrom;
          if (isAhead) await deleteSkippedRuns(tx, row.id);
          const next = nextOf(toSchedule(row, null), countedFrom);
          // If no time can be computed (undefined), the schedule still counts as recomputed. Otherwise each pass, which takes at most `limit`
          // schedules, could contain only such schedules.
          const when = next === undefined ? {} : next === null ? endedColumns : { nextFireAt: next };
          await tx
            .update(reportSchedules)
            .set({ ...when, tzVersion, countedFrom })
            .where(eq(reportSchedules.id, row.id));
        }
        return rows.length;
      }),

    pauseFailing: (limit) =>
      database.transaction(async (tx) => {
        const { id, reportType, failuresFrom } = reportSchedules;
        const inRow = failuresInRow({
          id: sql`${id}`,
          reportType: sql`${reportType}`,
          failuresFrom: sql`${failuresFrom}`,
        });
        const rows = await tx
          .select({ id })
          .from(reportSchedules)
          .where(and(isActive, sql`${id} in (${withFailures})`, sql`${inRow} >= ${maxScheduleFailuresInRow}`))
          .limit(limit)
          .for("update", { skipLocked: true });
        for (const row of rows) await pauseSchedule(tx, row.id, "KEEPS_FAILING");
        return rows.map((row) => row.id);
      }),

    pauseUnfit: ({ id, revision, definitionVersion }) =>
      database.transaction(async (tx) => {
        const isAsRead = and(
          eq(reportSchedules.revision, revision),
          eq(reportSchedules.definitionVersion, definitionVersion),
        );
        const row = await lockSchedule(tx, and(eq(reportSchedules.id, id), isActive, isAsRead));
        return row !== null && pauseSchedule(tx, id, "INVALID_PARAMETERS");
      }),

    pauseUnserved: (id, overdueMs) =>
      database.transaction(async (tx) => {
        const row = await lockSchedule(
          tx,
          and(eq(reportSchedules.id, id), isActive, lte(reportSchedules.nextFireAt, timeAgoSql(overdueMs))),
        );
        return row !== null && pauseSchedule(tx, id, "UNKNOWN_REPORT_TYPE");
      }),
  };
}

/** Deletes skipped runs whose time is in the future now. They can still run on time. */
async function deleteSkippedRuns(tx: Queries, scheduleId: string): Promise<void> {
  const { outcome, scheduledFor } = reportScheduleRuns;
  await tx
    .delete(reportScheduleRuns)
    .where(and(eq(reportScheduleRuns.scheduleId, scheduleId), eq(outcome, "SKIPPED"), isFuture(scheduledFor)));
}

function isDue(tzVersion: string): SQL | undefined {
  return and(lte(reportSchedules.nextFireAt, sql`clock_timestamp()`), sql`${comparableTzVersion} <= ${tzVersion}`);
}

async function lockSchedule(tx: Queries, where: SQL | undefined): Promise<StoredSchedule | null> {
  const [row] = await tx.select().from(reportSchedules).where(where).for("update", { skipLocked: true });
  return row ?? null;
}

/** SQL for the number of the schedule's latest reports that failed permanently one after the other, up to maxFailuresInRow. */
function failuresInRow(schedule: Readonly<Record<"id" | "reportType" | "failuresFrom", SQL>>): SQL {
  return sql`(select count(*) from (
    select bool_and(status = 'FAILED' and not error_retryable) over (order by created_at desc, id desc) as in_row
    from (
      select report.id, report.created_at, report.status, report.error_retryable from reports as report
      where report.schedule_id = ${schedule.id} and report.report_type = ${schedule.reportType} and report.deleted_at is null
        and report.created_at > ${schedule.failuresFrom} and report.status in ('SUCCEEDED', 'FAILED', 'EXPIRED')
      order by report.created_at desc, report.id desc limit ${maxScheduleFailuresInRow}
    ) as latest
  ) as latest_in_row where in_row)`;
}

/**
 * Schedules with at least maxScheduleFailuresInRow reports that failed permanently, found by an index. Only for these does the service count the
 * failures in a row.
 */
const withFailures = sql`
  select failed.schedule_id from reports as failed
  where failed.schedule_id is not null and failed.status = 'FAILED' and not failed.error_retryable and failed.deleted_at is null
  group by failed.schedule_id having count(*) >= ${maxScheduleFailuresInRow}`;

async function readDueSchedule(tx: Queries, row: StoredSchedule, confirmDays: number): Promise<DueSchedule> {
  const [facts] = await tx.execute(sql`
    select clock_timestamp() as "now", ${ownerAuthoritySql(row, confirmDays)} as "ownership",
      (select count(*) from (
        select from reports where schedule_id = ${row.id} and status in ('QUEUED', 'RUNNING') and deleted_at is null
        limit ${maxUnfinishedPerSchedule}
      ) as open) as "openReports",
      ${failuresInRow({
        id: sql`${row.id}`,
        reportType: sql`${row.reportType}`,
        failuresFrom: sql`${row.failuresFrom.toISOString()}::timestamptz`,
      })} as "failuresInRow"`);
  const { heldFor } = row;
  // A due schedule always has a next time.
  return { ...toSchedule(row, null), ...factsRowSchema.parse(facts), nextFireAt: row.nextFireAt!, heldFor };
}

async function writeDecision(
  tx: Queries,
  row: StoredSchedule,
  { decision, context, tzVersion }: { decision: DueRunsDecision; context: ScheduleRunContext; tzVersion: string },
): Promise<string | null> {
  const reportId = decision.start === null ? null : context.newId();
  const rows = decision.rows.map((each) => ({ ...each, id: context.newId() }));
  const written = await insertScheduleRuns(tx, row.id, rows, reportId);
  // After Postgres's clock was set back, times of the schedule come again. A time that has already run must start no second report.
  const latest = rows.at(-1)?.scheduledFor.getTime();
  const starts = reportId !== null && written.some((scheduledFor) => scheduledFor.getTime() === latest);
  if (starts) await insertQueuedReports(tx, [toNewReport(row, decision.start!, reportId, context)]);
  const { next } = decision;
  await tx
    .update(reportSchedules)
    .set({
      ...(next === null ? endedColumns : { nextFireAt: next }),
      countedFrom: decision.countedFrom,
      heldFor: decision.heldFor,
      tzVersion,
      fires: sql`${reportSchedules.fires} + ${written.length}::bigint`,
    })
    .where(eq(reportSchedules.id, row.id));
  if (decision.pause !== null) await pauseSchedule(tx, row.id, decision.pause);
  return starts ? reportId : null;
}

function toNewReport(
  row: StoredSchedule,
  start: NonNullable<DueRunsDecision["start"]>,
  id: string,
  context: ScheduleRunContext,
) {
  const { definition, title, searchParam, searchParamGiven, options } = start;
  return {
    id,
    reportType: definition.type,
    definitionVersion: definition.version,
    title,
    searchParam,
    searchParamGiven,
    options,
    requestedBy: row.owner,
    requesterName: row.ownerName,
    scheduleId: row.id,
    maxFailures: context.maxFailures,
    traceparent: null,
    coalesceKey: null,
    requiredAuthority: row.requiredAuthority,
    lane: context.lane,
  };
}
