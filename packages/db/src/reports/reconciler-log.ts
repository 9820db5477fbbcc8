import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { reconcilerLog, type reconcilerActions } from "../schema/file-removals-table.ts";
import { ago } from "../database/interval.ts";

/** Records an action of the reconciler on files; does nothing for zero files. */
export async function logAction(tx: Queries, action: (typeof reconcilerActions)[number], files: number): Promise<void> {
  if (files > 0) await tx.insert(reconcilerLog).values({ action, files });
}

const stateRowSchema = z.object({
  /** Files on the removal list, by reason. */
  listed: z.array(z.object({ reason: z.string(), files: z.number() })),
  /** For how long in ms the oldest due file has been due; 0 if none is. */
  overdueMs: z.coerce.number(),
  /** Known differences by kind, and files of unknown reports found by the last round. */
  mismatches: z.array(z.object({ kind: z.string(), files: z.number() })),
  /** Differences that the last round did not act on, because they were too many. */
  refused: z.coerce.number(),
  /** Actions on files within the last 30 days. */
  lately: z.array(z.object({ action: z.string(), files: z.number() })),
});

export async function readReconcilerState(queries: Queries): Promise<z.output<typeof stateRowSchema>> {
  // The row of a completed round has the action `compared`. Rows with higher IDs hold its findings.
  const rows = await queries.execute(sql`
    with last as (select max(id) as round from reconciler_log where action = 'compared'),
      found as (select action, sum(files)::integer as files from reconciler_log, last where id > round and action in ('unknown', 'refused') group by 1)
    select
      (select coalesce(jsonb_agg(jsonb_build_object('reason', reason, 'files', files)), '[]')
        from (select reason, count(*) as files from file_removals group by 1) as by_reason) as listed,
      (select coalesce(greatest(extract(epoch from clock_timestamp() - min(due_at)) * 1000, 0), 0)::bigint
        from file_removals where due_at < clock_timestamp()) as "overdueMs",
      (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'files', files)), '[]') from (
        select kind, count(*) as files from file_mismatches group by 1
        union all select 'unknown-report', files from found where action = 'unknown') as by_kind) as mismatches,
      coalesce((select files from found where action = 'refused'), 0) as refused,
      (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'files', files)), '[]') from (
        select action, sum(files) as files from reconciler_log where at > ${ago(30 * 86_400_000)} group by 1) as by_action) as lately`);
  return stateRowSchema.parse(rows[0]);
}
