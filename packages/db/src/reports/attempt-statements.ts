import { userPrincipalPrefix } from "@reports/core/caller";
import type { ReportStatus } from "@reports/core/base";
import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { prepareQuery } from "../database/prepare-query.ts";
import type { Queries } from "../database/queries.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";
import { storeIds } from "../schema/store-markers.ts";
import { users } from "../schema/users.ts";
import { reportColumns } from "./report-row.ts";
import {
  resetProgress,
  bumpRevision,
  endColumns,
  isNotDeleted,
  isCurrentAttempt,
  type StoredReport,
} from "./report-transitions.ts";

// Prepared once per connection, because planning took most of an empty report's time. Each update writes its event, too, and needs no transaction.

const openStatuses = ["QUEUED", "RUNNING"] as const;
const isOpenReport = and(eq(reports.id, sql.placeholder("id")), inArray(reports.status, openStatuses), isNotDeleted);

const placeholderOf = (key: keyof StoredReport): SQL => sql`${sql.param(sql.placeholder(key), reports[key])}`;

const fromNowBy = (name: string): SQL =>
  sql`clock_timestamp() + make_interval(secs => ${sql.placeholder(name)}::double precision / 1000)`;

const selectOpenReport = prepareQuery("lock_open_report", (queries) =>
  queries.select().from(reports).where(isOpenReport).for("update"),
);

/** Locks a report that is queued or running and returns its row. Returns null if the report has ended, was deleted, or does not exist. */
export async function lockOpenReport(tx: Queries, id: string): Promise<StoredReport | null> {
  const [row] = await selectOpenReport(tx, { id });
  return row ?? null;
}

/** How long after it was read a report may be claimed. A call of the worker ends by then, so that nobody would run a report that was claimed later. */
const claimWithinMs = 10_000;

/** Whether an attempt may begin: no other is running, or the running one lost its lease. Only the rescuer decides about a lost report in quarantine. */
const isClaimable = sql<boolean>`(${reports.status} = 'QUEUED' or ${reports.leaseExpiresAt} < clock_timestamp() and ${reports.lane} <> 'suspect')`;

/** Reads a queued or running report, and the time (by Postgres's clock) until which it may be claimed if it has not changed. */
export const readOpenReport = prepareQuery("read_open_report", (queries) =>
  queries
    .select({
      ...reportColumns,
      spoolExceededBytes: reports.spoolExceededBytes,
      isClaimable,
      claimBefore: sql<string>`(clock_timestamp() + make_interval(secs => ${claimWithinMs / 1000}::double precision))::text`,
    })
    .from(reports)
    .where(isOpenReport),
);

/** Combines an update of reports with the insert of its events in one statement. `events` selects the events from `reports`, the updated rows. */
function withEvents<Fields extends Parameters<Queries["select"]>[0]>(
  queries: Queries,
  update: { getSQL(): SQL },
  events: SQL,
  fields: Fields,
) {
  const written = queries.$with("reports", {}).as(update.getSQL());
  const eventInsert = queries
    .$with("eventInsert", {})
    .as(sql`insert into ${reportEvents} (report_id, from_status, to_status, attempt, actor) ${events}`);
  return queries.with(written, eventInsert).select(fields).from(reports);
}

const actorParameter = sql`${sql.placeholder("actor")}::text`;

/** Whether the requester still has the required authority. Only local users are looked up. A user may have lost it while the report waited. */
const isRequesterAllowed = sql<boolean>`(reports.required_authority is null or not starts_with(reports.requested_by, ${userPrincipalPrefix}) or exists (
    select from ${users} as requester
    where requester.name = substr(reports.requested_by, ${userPrincipalPrefix.length + 1}::integer)
      and requester.disabled_at is null and reports.required_authority = any (requester.authorities)))`;

const claimStatement = prepareQuery("claim_report", (queries) =>
  withEvents(
    queries,
    queries
      .update(reports)
      .set({
        ...resetProgress,
        ...bumpRevision,
        status: "RUNNING",
        attempt: sql`${reports.attempt} + 1`,
        startedAt: sql`coalesce(${reports.startedAt}, now())`,
        losses: sql`${reports.losses} + (${reports.status} = 'RUNNING')::integer`,
        requeuedBecause: null,
        workerId: placeholderOf("workerId"),
        leaseExpiresAt: fromNowBy("leaseMs"),
      })
      .where(
        and(
          isOpenReport,
          eq(reports.revision, sql.placeholder("revision")),
          isClaimable,
          sql`clock_timestamp() < ${sql.placeholder("claimBefore")}::text::timestamptz`,
        ),
      )
      .returning(),
    // A claim from a dead worker writes two events: RUNNING to QUEUED for the lost attempt, and QUEUED to RUNNING for the new one.
    sql`
      select id, step.before, step.after, step.attempt, ${actorParameter}
      from reports, lateral (values ('RUNNING', 'QUEUED', reports.attempt - 1), ('QUEUED', 'RUNNING', reports.attempt)) as step (before, after, attempt)
      where step.before = 'QUEUED' or ${sql.placeholder("was")}::text = 'RUNNING'
      order by step.attempt`,
    {
      attempt: reports.attempt,
      startedAt: reports.startedAt,
      updatedAt: reports.updatedAt,
      revision: reports.revision,
      lane: reports.lane,
      losses: reports.losses,
      failures: reports.failures,
      maxFailures: reports.maxFailures,
      requeues: reports.requeues,
      waitedMs: sql<number>`greatest(extract(epoch from clock_timestamp() - reports.first_handed_back_at) * 1000, 0)::double precision`,
      isRequesterAllowed,
    },
  ),
);

export type ClaimedRow = Awaited<ReturnType<typeof claimStatement>>[number];

/** Claims a report and writes the events, if the report is unchanged since `revision`. Returns null if it changed. */
export async function claimRow(
  queries: Queries,
  values: {
    readonly id: string;
    readonly was: ReportStatus;
    readonly revision: number;
    readonly claimBefore: string;
    readonly workerId: string;
    readonly leaseMs: number;
    readonly actor: string;
  },
): Promise<ClaimedRow | null> {
  const [row] = await claimStatement(queries, values);
  return row ?? null;
}

export type CompletedValues = Pick<
  StoredReport,
  | "dataSha256"
  | "dataAsOf"
  | "rowCount"
  | "warnings"
  | "warningCodes"
  | "fileId"
  | "fileName"
  | "fileExtension"
  | "fileContentType"
  | "fileSizeBytes"
  | "fileSha256"
  | "fileColumns"
  | "fileStorageKey"
  | "fileStoredVersion"
> & {
  readonly id: string;
  readonly attempt: number;
  readonly retentionMs: number;
  readonly actor: string;
  /** ID of the store that holds the file; null if the store did not respond. */
  readonly storeId: string | null;
};

/** Whether the file was stored in the file store that the database names. */
const isExpectedStore = sql`(${sql.placeholder("storeId")}::uuid is null
  or exists (select from ${storeIds} where ${storeIds.id} = ${sql.placeholder("storeId")}::uuid))`;

const completeStatement = prepareQuery("complete_report", (queries) =>
  withEvents(
    queries,
    queries
      .update(reports)
      .set({
        ...endColumns,
        ...bumpRevision,
        status: "SUCCEEDED",
        // An additional format expires with its report.
        expiresAt: sql`coalesce(${reports.expiresAt}, ${fromNowBy("retentionMs")})`,
        progressPhase: "done",
        rowsDone: placeholderOf("rowCount"),
        rowsTotal: placeholderOf("rowCount"),
        percent: 100,
        dataSha256: placeholderOf("dataSha256"),
        dataAsOf: placeholderOf("dataAsOf"),
        rowCount: placeholderOf("rowCount"),
        warnings: placeholderOf("warnings"),
        warningCodes: placeholderOf("warningCodes"),
        fileId: placeholderOf("fileId"),
        fileName: placeholderOf("fileName"),
        fileExtension: placeholderOf("fileExtension"),
        fileContentType: placeholderOf("fileContentType"),
        fileSizeBytes: placeholderOf("fileSizeBytes"),
        fileSha256: placeholderOf("fileSha256"),
        fileColumns: placeholderOf("fileColumns"),
        fileStorageKey: placeholderOf("fileStorageKey"),
        fileStoredVersion: placeholderOf("fileStoredVersion"),
      })
      .where(and(isCurrentAttempt(sql.placeholder("id"), sql.placeholder("attempt")), isExpectedStore))
      .returning(),
    sql`select id, 'RUNNING', status, attempt, ${actorParameter} from reports`,
    reportColumns,
  ),
);

/** Records the success of a report and its event. Returns null if the attempt no longer owns the report, or if the file is in another store. */
export async function completeRow(
  queries: Queries,
  values: CompletedValues,
): Promise<Awaited<ReturnType<typeof completeStatement>>[number] | null> {
  const [row] = await completeStatement(queries, values);
  return row ?? null;
}
