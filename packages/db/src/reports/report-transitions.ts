import { FencedOutError, type EventCause, type ReportStatus } from "@reports/core/base";
import { initialProgress } from "@reports/core/report";
import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";

export type FullReportRow = typeof reports.$inferSelect;
export type ReportUpdate = { readonly [Key in keyof FullReportRow]?: FullReportRow[Key] | SQL };

/** Every change that callers can see includes these columns. The revision is the report's ETag. */
export const nextRevisionColumns = { revision: sql`${reports.revision} + 1`, updatedAt: sql`now()` };
export const clearedLeaseColumns = { workerId: null, leaseExpiresAt: null };
export const endedReportColumns = { ...clearedLeaseColumns, finishedAt: sql`now()` };
const { phase: progressPhase, ...initialCounts } = initialProgress;
export const initialProgressColumns = { progressPhase, ...initialCounts };
export const clearedFileColumns = {
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
 * This form of the condition matches no partial index. Otherwise, a statement prepared while the table is empty would read such an index as a whole
 * until it is planned again.
 */
export const isNotDeletedWithoutIndex = sql`num_nonnulls(${reports.deletedAt}) = 0`;

/** The fence: selects the report only if no later attempt has claimed it and it still runs. */
export function isCurrentAttempt(id: string | SQL, attempt: number | SQL): SQL | undefined {
  return and(eq(reports.id, id), eq(reports.attempt, attempt), eq(reports.status, "RUNNING"), isNotDeletedWithoutIndex);
}

export async function updateReport(
  tx: Queries,
  where: SQL | undefined,
  changes: ReportUpdate,
): Promise<FullReportRow | null> {
  const [row] = await tx
    .update(reports)
    .set({ ...changes, ...nextRevisionColumns })
    .where(where)
    .returning();
  return row ?? null;
}

export async function writeAttemptEnd(
  tx: Queries,
  {
    id,
    attempt,
    ...event
  }: { readonly id: string; readonly attempt: number } & Pick<ReportTransition, "actor" | "because">,
  changes: ReportUpdate,
): Promise<FullReportRow> {
  const row = await updateReport(tx, isCurrentAttempt(id, attempt), changes);
  if (row === null) throw new FencedOutError(id, attempt);
  await addReportEvent(tx, row, { from: "RUNNING", ...event });
  return row;
}

export interface ReportTransition {
  readonly from: ReportStatus;
  /** The ID of a principal, `worker:<id>`, or `system` for the rescuer, retention and the reconciler. */
  readonly actor: string;
  readonly because?: EventCause | undefined;
}

export const systemActor = "system";

export async function addReportEvent(
  tx: Queries,
  row: TransitionedReport,
  transition: ReportTransition,
): Promise<void> {
  await addReportEvents(tx, [row], transition);
}

export async function addReportEvents(
  tx: Queries,
  rows: readonly TransitionedReport[],
  { from, actor, because }: ReportTransition,
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

export type TransitionedReport = Pick<FullReportRow, "id" | "status" | "attempt">;
