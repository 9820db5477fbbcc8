import { and, eq, inArray, isNull, sql, type SQL } from "drizzle-orm";
import { prepareBuilt } from "../database/prepare-built.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";
import { beginning, changed, ended, owned, type StoredReport } from "./report-transitions.ts";

// What every attempt runs, kept in each connection's memory: written and planned anew, the statements of an empty report took the worker and
// Postgres more time than everything else about it.

const openStatuses = ["QUEUED", "RUNNING"] as const;

const given = (key: keyof StoredReport): SQL => sql`${sql.param(sql.placeholder(key), reports[key])}`;

/** A moment so many given milliseconds after now. */
const afterGiven = (name: string): SQL =>
  sql`clock_timestamp() + make_interval(secs => ${sql.placeholder(name)}::double precision / 1000)`;

const selectOpen = prepareBuilt("lock_open_report", (queries) =>
  queries
    .select()
    .from(reports)
    .where(and(eq(reports.id, sql.placeholder("id")), inArray(reports.status, openStatuses), isNull(reports.deletedAt)))
    .for("update"),
);

/** Locks a report that is open, for the state from which its event tells; null when it is not open. */
export async function lockOpen(tx: Queries, id: string): Promise<StoredReport | null> {
  const [row] = await selectOpen(tx, { id });
  return row ?? null;
}

const updateClaimed = prepareBuilt("claim_report", (queries) =>
  queries
    .update(reports)
    .set({
      ...beginning,
      ...changed,
      status: "RUNNING",
      attempt: sql`${reports.attempt} + 1`,
      startedAt: sql`coalesce(${reports.startedAt}, now())`,
      losses: sql`${reports.losses} + (${reports.status} = 'RUNNING')::integer`,
      handedBackBecause: null,
      workerId: given("workerId"),
      leaseExpiresAt: afterGiven("leaseMs"),
    })
    .where(
      and(
        eq(reports.id, sql.placeholder("id")),
        // A suspect that was lost is judged by the rescuer alone, who may end it.
        sql`(${reports.status} = 'QUEUED' or ${reports.status} = 'RUNNING' and ${reports.leaseExpiresAt} < clock_timestamp() and ${reports.lane} <> 'suspect')`,
      ),
    )
    .returning(),
);

/** The claim itself, of a report that is open; null when somebody else holds it. */
export async function claimRow(
  tx: Queries,
  values: { readonly id: string; readonly workerId: string; readonly leaseMs: number },
): Promise<StoredReport | null> {
  const [row] = await updateClaimed(tx, values);
  return row ?? null;
}

/** What a completion writes, beside what follows from it. */
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
> & { readonly id: string; readonly attempt: number; readonly retentionMs: number };

const updateCompleted = prepareBuilt("complete_report", (queries) =>
  queries
    .update(reports)
    .set({
      ...ended,
      ...changed,
      status: "SUCCEEDED",
      // A further file ends with its report.
      expiresAt: sql`coalesce(${reports.expiresAt}, ${afterGiven("retentionMs")})`,
      progressPhase: "done",
      rowsDone: given("rowCount"),
      rowsTotal: given("rowCount"),
      percent: 100,
      dataSha256: given("dataSha256"),
      dataAsOf: given("dataAsOf"),
      rowCount: given("rowCount"),
      warnings: given("warnings"),
      warningCodes: given("warningCodes"),
      fileId: given("fileId"),
      fileName: given("fileName"),
      fileExtension: given("fileExtension"),
      fileContentType: given("fileContentType"),
      fileSizeBytes: given("fileSizeBytes"),
      fileSha256: given("fileSha256"),
      fileColumns: given("fileColumns"),
      fileStorageKey: given("fileStorageKey"),
      fileStoredVersion: given("fileStoredVersion"),
    })
    .where(owned(sql.placeholder("id"), sql.placeholder("attempt")))
    .returning(),
);

/** The completion itself, behind the fence; null when the attempt does not own the report any more. */
export async function completeRow(tx: Queries, values: CompletedValues): Promise<StoredReport | null> {
  const [row] = await updateCompleted(tx, values);
  return row ?? null;
}

const insertAttemptEvent = prepareStatement(
  "insert_attempt_event",
  sql`
    insert into ${reportEvents} (report_id, from_status, to_status, attempt, actor)
    select id, ${sql.placeholder("from")}, status, attempt, ${sql.placeholder("actor")}
    from ${reports}
    where id = ${sql.placeholder("id")} and attempt = ${sql.placeholder("attempt")} and status = ${sql.placeholder("to")}`,
);

/**
 * Writes the event of a transition of an attempt, if it has taken place in this transaction: so that it can be sent together with the
 * statement that makes it.
 */
export async function addAttemptEvent(
  tx: Queries,
  event: {
    readonly id: string;
    readonly attempt: number;
    readonly from: StoredReport["status"];
    readonly to: StoredReport["status"];
    readonly actor: string;
  },
): Promise<void> {
  await insertAttemptEvent(tx, event);
}
