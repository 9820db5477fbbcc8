import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { reconcilerLog, type reconcilerActions } from "../schema/file-removals-table.ts";
import { timeAgoSql } from "../database/interval-sql.ts";

export async function addReconcilerLogRow(
  tx: Queries,
  action: (typeof reconcilerActions)[number],
  files: number,
): Promise<void> {
  if (files > 0) await tx.insert(reconcilerLog).values({ action, files });
}

const stateRowSchema = z.object({
  listed: z.array(z.object({ reason: z.string(), files: z.number() })),
  /** Time in ms since the oldest entry of the removal list became due. 0 if none is due. */
  overdueMs: z.coerce.number(),
  /** Number of known differences per kind. The kind `unknown-report` counts the files of unknown reports that the last round found. */
  mismatches: z.array(z.object({ kind: z.string(), files: z.number() })),
  /** Number of differences that the last round left alone, because they were too many for an automatic repair. */
  refused: z.coerce.number(),
  lately: z.array(z.object({ action: z.string(), files: z.number() })),
});

export async function readReconcilerState(queries: Queries): Promise<z.output<typeof stateRowSchema>> {
  // The row of a finished round has the action `compared`. Rows with higher IDs hold its findings.
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
        select action, sum(files) as files from reconciler_log where at > ${timeAgoSql(30 * 86_400_000)} group by 1) as by_action) as lately`);
  return stateRowSchema.parse(rows[0]);
}
