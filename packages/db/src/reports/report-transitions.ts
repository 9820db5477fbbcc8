import { FencedOutError, type EventCause, type ReportStatus } from "@reports/core/base";
import { initialProgress } from "@reports/core/report";
import { and, eq, sql, type Placeholder, type SQL } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";

/** A stored report. */
export type StoredReport = typeof reports.$inferSelect;
/** What an update writes. */
export type ReportUpdate = { readonly [Key in keyof StoredReport]?: StoredReport[Key] | SQL };

/** What every change of a row that callers can see does. */
export const changed = { revision: sql`${reports.revision} + 1`, updatedAt: sql`now()` };
/** No attempt holds the report. */
export const released = { workerId: null, leaseExpiresAt: null };
/** The report is at its end. */
export const ended = { ...released, finishedAt: sql`now()` };
/** The progress with which an attempt begins. */
export const beginning = {
  progressPhase: initialProgress.phase,
  rowsDone: initialProgress.rowsDone,
  rowsTotal: initialProgress.rowsTotal,
  percent: initialProgress.percent,
};
/** The record holds no file. */
export const withoutFile = {
  fileId: null,
  fileName: null,
  fileExtension: null,
  fileContentType: null,
  fileSizeBytes: null,
  fileSha256: null,
  fileColumns: null,
  fileStorageKey: null,
  fileStoredVersion: null,
};

/**
 * Not deleted, in words that no partial index has: a plan that was made while the table was nearly empty might read all of such an index for
 * one row, because the id stands in it, too.
 */
export const isLiving = sql`num_nonnulls(${reports.deletedAt}) = 0`;

/** The fence: the row that an attempt may still write. */
export function owned(id: string | Placeholder, attempt: number | Placeholder): SQL | undefined {
  return and(eq(reports.id, id), eq(reports.attempt, attempt), eq(reports.status, "RUNNING"), isLiving);
}

/** Writes the row that meets the condition, if there is one. */
export async function updateReport(
  tx: Queries,
  where: SQL | undefined,
  changes: ReportUpdate,
): Promise<StoredReport | null> {
  const [row] = await tx
    .update(reports)
    .set({ ...changes, ...changed })
    .where(where)
    .returning();
  return row ?? null;
}

/** Ends an attempt, with its event. Rejects with FencedOutError when it does not own its report any more. */
export async function leaveRunning(
  tx: Queries,
  { id, attempt, ...told }: { readonly id: string; readonly attempt: number } & Pick<Transition, "actor" | "because">,
  changes: ReportUpdate,
): Promise<StoredReport> {
  const row = await updateReport(tx, owned(id, attempt), changes);
  if (row === null) throw new FencedOutError(id, attempt);
  await addEvent(tx, row, { from: "RUNNING", ...told });
  return row;
}

/** What an event says of a transition beside the row that it has made. */
export interface Transition {
  readonly from: ReportStatus;
  /** Who made it: a principal's id, `worker:<id>`, or `system` for rescue, retention and reconciliation. */
  readonly actor: string;
  readonly because?: EventCause | undefined;
}

/** The actor of what the service does by itself, outside of an attempt. */
export const systemActor = "system";

/** Writes the event of a transition to the row's status. */
export async function addEvent(tx: Queries, row: EventRow, transition: Transition): Promise<void> {
  await addEvents(tx, [row], transition);
}

/** The same for several rows, in one statement; at most some thousand. */
export async function addEvents(
  tx: Queries,
  rows: readonly EventRow[],
  { from, actor, because }: Transition,
): Promise<void> {
  if (rows.length === 0) return;
  const events = rows.map(({ id, status, attempt }) => ({
    reportId: id,
    from,
    to: status,
    attempt,
    because: because ?? null,
    actor,
  }));
  await tx.insert(reportEvents).values(events);
}

/** What an event tells of a record that has just changed. */
export type EventRow = Pick<StoredReport, "id" | "status" | "attempt">;
