import { workerDeadAfterMs } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { timeAgoSql, isYoungerThan } from "../database/interval-sql.ts";
import type { Queries } from "../database/queries.ts";

export function sealingKeyFingerprintSql(sealed: SQL): SQL {
  return sql`split_part(${sealed}, '.', 1)`;
}

// Workers of an older version don't list their keys, so they may have any key.
const isReadable = sql`exists (
  select from worker_heartbeats as worker where ${isYoungerThan(sql`worker.beat_at`, workerDeadAfterMs)}
    and (worker.webhook_keys is null or ${sealingKeyFingerprintSql(sql`webhook.secret`)} = any (worker.webhook_keys))
)`;

/**
 * Records since when no running worker has had the key of a webhook's secret. After `pauseAfterMs` pauses the webhook. Returns the IDs of the
 * paused webhooks. Workers may call it at the same time. A worker without WEBHOOK_KEY must not call it: while no worker has a key, events wait.
 */
export async function pauseUnreadableWebhooks(queries: Queries, pauseAfterMs: number): Promise<readonly string[]> {
  // A future `unreadable_since` was written before Postgres's clock was set back. It counts as now, so the full time until the pause must pass
  // again.
  const rows = await queries.execute<{ id: string; is_over: boolean }>(sql`
    with judged as (
      select webhook.id, ${isReadable} as is_readable,
        least(coalesce(webhook.unreadable_since, clock_timestamp()), clock_timestamp()) as since
      from webhooks as webhook where webhook.status = 'ACTIVE' and webhook.deleted_at is null
    ), changed as (
      select id, is_readable, since, not is_readable and since <= ${timeAgoSql(pauseAfterMs)} as is_over from judged
    )
    update webhooks as webhook set
      unreadable_since = case when changed.is_readable or changed.is_over then null else changed.since end,
      status = case when changed.is_over then 'PAUSED' else webhook.status end,
      paused_because = case when changed.is_over then 'SECRET_UNREADABLE' end,
      revision = webhook.revision + case when changed.is_over then 1 else 0 end,
      updated_at = case when changed.is_over then now() else webhook.updated_at end
    from changed
    where webhook.id = changed.id and webhook.status = 'ACTIVE' and webhook.deleted_at is null
      and (changed.is_over or (webhook.unreadable_since is distinct from case when not changed.is_readable then changed.since end))
    returning webhook.id, changed.is_over`);
  return [...rows].filter(({ is_over }) => is_over).map(({ id }) => id);
}
