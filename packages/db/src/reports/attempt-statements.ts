import { userPrincipalPrefix } from "@reports/core/caller";
import type { ReportStatus } from "@reports/core/base";
import { and, eq, getTableColumns, inArray, Name, sql, type SQL } from "drizzle-orm";
import { prepareQuery } from "../database/prepare-query.ts";
import type { Queries } from "../database/queries.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";
import { storeIds } from "../schema/store-markers.ts";
import { users } from "../schema/users.ts";
import { reportRecordColumns } from "./report-row.ts";
import {
  initialProgressColumns,
  nextRevisionColumns,
  endedReportColumns,
  isNotDeletedWithoutIndex,
  isCurrentAttempt,
  type FullReportRow,
} from "./report-transitions.ts";

// Each connection prepares the statements of this file once. Planning them at each call took most of the time of an empty report.

const isOpen = and(inArray(reports.status, ["QUEUED", "RUNNING"]), isNotDeletedWithoutIndex);

const fromNowBy = (name: string): SQL =>
  sql`clock_timestamp() + make_interval(secs => ${sql.placeholder(name)}::double precision / 1000)`;

const selectOpenReport = prepareQuery("lock_open_report", (queries) =>
  queries
    .select()
    .from(reports)
    .where(and(eq(reports.id, sql.placeholder("id")), isOpen))
    .for("update"),
);

export async function lockUnfinishedReport(tx: Queries, id: string): Promise<FullReportRow | null> {
  const [row] = await selectOpenReport(tx, { id });
  return row ?? null;
}

/**
 * Time in ms after the read in which a claim may still take effect. Later, the worker's call has timed out, so no worker would run the claimed
 * report.
 */
const claimWithinMs = 10_000;

/**
 * SQL for: the report can be claimed, because it is queued or its lease has expired. Lost reports in quarantine are excluded, because only the
 * rescuer decides about them.
 */
const isClaimable = sql<boolean>`(${reports.status} = 'QUEUED' or ${reports.leaseExpiresAt} < clock_timestamp() and ${reports.lane} <> 'suspect')`;

const hasRequestedId = sql`${reports.id} = any (string_to_array(${sql.placeholder("ids")}, ',')::uuid[])`;

const selectUnfinishedReports = prepareQuery("read_open_reports", (queries) =>
  queries
    .select({
      ...reportRecordColumns,
      spoolExceededBytes: reports.spoolExceededBytes,
      isClaimable,
      claimBefore: sql<string>`(clock_timestamp() + make_interval(secs => ${claimWithinMs / 1000}::double precision))::text`,
    })
    .from(reports)
    .where(and(hasRequestedId, isOpen)),
);

export type UnfinishedReport = Awaited<ReturnType<typeof selectUnfinishedReports>>[number];

/** Reads those of the reports that are queued or running. A row can be claimed only until its `claimBefore`, by Postgres's clock. */
export async function readUnfinishedReports(
  queries: Queries,
  ids: readonly string[],
): Promise<readonly UnfinishedReport[]> {
  return selectUnfinishedReports(queries, { ids: ids.join(",") });
}

/**
 * How an update treats reports that another transaction has locked. An update of several reports uses `skip`, so that one lock does not delay all.
 */
const lockModes = { skip: sql`skip locked`, wait: sql`` } as const;
type LockMode = keyof typeof lockModes;

/** Returns the FROM clause of an update of several reports: the records in the parameter `asked`, and their reports, locked in the records' order. */
function requestedReports(columns: Readonly<Record<string, string>>, mode: LockMode): SQL {
  // oxlint-disable-next-line no-restricted-properties -- types of columns, never input
  const typed = Object.entries(columns).map(([name, type]) => sql`${new Name(name)} ${sql.raw(type)}`);
  return sql`jsonb_to_recordset(${sql.placeholder("asked")}::text::jsonb) as asked (${sql.join(typed, sql`, `)})
    cross join lateral (select id from ${reports} where id = asked.id for no key update ${lockModes[mode]}) as locked`;
}

const asked = (name: string): SQL => sql`asked.${new Name(name)}`;
/** `hasRequestedId` looks redundant next to the join. Without it, a plan that was made for an empty table might read the whole table. */
const isRequested = and(hasRequestedId, sql`${reports.id} = locked.id`);

function toParameters(records: readonly { readonly id: string }[]) {
  const sorted = records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  // A lone surrogate is invalid in Postgres's JSON and would fail the whole statement.
  const wellFormed = (_key: string, value: unknown): unknown =>
    typeof value === "string" ? value.toWellFormed() : value;
  return { ids: sorted.map(({ id }) => id).join(","), asked: JSON.stringify(sorted, wellFormed) };
}

/** Combines an update with the insert of its events in one statement, without a transaction. `events` is a query of the updated rows. */
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

const isRequesterAllowed = sql<boolean>`(reports.required_authority is null or not starts_with(reports.requested_by, ${userPrincipalPrefix}) or exists (
    select from ${users} as requester
    where requester.name = substr(reports.requested_by, ${userPrincipalPrefix.length + 1}::integer)
      and requester.disabled_at is null and reports.required_authority = any (requester.authorities)))`;

const claimStatement = (name: string, mode: LockMode) =>
  prepareQuery(name, (queries) =>
    withEvents(
      queries,
      queries
        .update(reports)
        .set({
          ...initialProgressColumns,
          ...nextRevisionColumns,
          status: "RUNNING",
          attempt: sql`${reports.attempt} + 1`,
          startedAt: sql`coalesce(${reports.startedAt}, now())`,
          losses: sql`${reports.losses} + (${reports.status} = 'RUNNING')::integer`,
          requeuedBecause: null,
          workerId: sql`${sql.placeholder("workerId")}::text`,
          leaseExpiresAt: fromNowBy("leaseMs"),
        })
        .from(requestedReports({ id: "uuid", was: "text", revision: "bigint", claimBefore: "timestamptz" }, mode))
        .where(
          and(
            isRequested,
            isOpen,
            eq(reports.revision, asked("revision")),
            isClaimable,
            sql`clock_timestamp() < ${asked("claimBefore")}`,
          ),
        )
        .returning({ ...getTableColumns(reports), was: sql`${asked("was")}` }),
      // A claim of a report whose worker died writes two events: RUNNING to QUEUED for the lost attempt, QUEUED to RUNNING for the new one.
      sql`
        select id, step.before, step.after, step.attempt, ${actorParameter}
        from reports, lateral (values ('RUNNING', 'QUEUED', reports.attempt - 1), ('QUEUED', 'RUNNING', reports.attempt)) as step (before, after, attempt)
        where step.before = 'QUEUED' or reports.was = 'RUNNING'
        order by step.attempt`,
      {
        id: reports.id,
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
const claimStatements = { skip: claimStatement("claim_reports", "skip"), wait: claimStatement("claim_report", "wait") };

export type ClaimedReportRow = Awaited<ReturnType<typeof claimStatements.skip>>[number];

export interface ClaimPrecondition {
  readonly id: string;
  readonly was: ReportStatus;
  readonly revision: number;
  readonly claimBefore: string;
}

export async function claimReportRows(
  queries: Queries,
  mode: LockMode,
  claims: readonly ClaimPrecondition[],
  by: { readonly workerId: string; readonly leaseMs: number; readonly actor: string },
): Promise<readonly ClaimedReportRow[]> {
  const records = claims.map(({ id, was, revision, claimBefore }) => ({ id, was, revision, claimBefore }));
  return claimStatements[mode](queries, { ...toParameters(records), ...by });
}

const completedKeys = [
  ...(["dataSha256", "dataAsOf", "rowCount", "warnings", "warningCodes"] as const),
  ...(["fileId", "fileName", "fileExtension", "fileContentType", "fileSizeBytes"] as const),
  ...(["fileSha256", "fileColumns", "fileStorageKey", "fileStoredVersion"] as const),
];
const completedColumns = Object.fromEntries(completedKeys.map((key) => [key, reports[key].getSQLType()]));

export type CompletedReportValues = Pick<FullReportRow, (typeof completedKeys)[number]> & {
  readonly id: string;
  readonly attempt: number;
  readonly retentionMs: number;
  readonly storeId: string | null;
};

const isExpectedStore = sql`(${asked("storeId")} is null
  or exists (select from ${storeIds} where ${storeIds.id} = ${asked("storeId")}))`;

const completeStatement = (name: string, mode: LockMode) =>
  prepareQuery(name, (queries) =>
    withEvents(
      queries,
      queries
        .update(reports)
        .set({
          ...endedReportColumns,
          ...nextRevisionColumns,
          ...Object.fromEntries(completedKeys.map((key) => [key, asked(key)])),
          status: "SUCCEEDED",
          // An additional format already has an expiry: that of its report.
          expiresAt: sql`coalesce(${reports.expiresAt}, clock_timestamp() + make_interval(secs => ${asked("retentionMs")} / 1000))`,
          progressPhase: "done",
          rowsDone: asked("rowCount"),
          rowsTotal: asked("rowCount"),
          percent: 100,
        })
        .from(
          requestedReports(
            { id: "uuid", attempt: "integer", retentionMs: "double precision", storeId: "uuid", ...completedColumns },
            mode,
          ),
        )
        .where(and(isRequested, isCurrentAttempt(asked("id"), asked("attempt")), isExpectedStore))
        .returning(getTableColumns(reports)),
      sql`select id, 'RUNNING', status, attempt, ${actorParameter} from reports`,
      reportRecordColumns,
    ),
  );
const completeStatements = {
  skip: completeStatement("complete_reports", "skip"),
  wait: completeStatement("complete_report", "wait"),
};

export type CompletedReportRow = Awaited<ReturnType<typeof completeStatements.skip>>[number];

/** Records the success of reports and returns their rows. Omits fenced ones, those with a file in another store and, in mode `skip`, locked ones. */
export async function completeReportRows(
  queries: Queries,
  mode: LockMode,
  completions: readonly CompletedReportValues[],
  actor: string,
): Promise<readonly CompletedReportRow[]> {
  return completeStatements[mode](queries, { ...toParameters(completions), actor });
}
