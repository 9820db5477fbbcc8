import type { Client } from "pg";
import { readTexts } from "../database/pg-connection.ts";

/**
 * A replica says up to when it has replayed its primary's changes: the commit time of the last transaction (before the first one since
 * its start, the time of the checkpoint from which it began). Where it has replayed all that it received, it is as new as the last word
 * of its primary, however long ago the last transaction was. That word's time is read by a function of the owner's; where the owner may
 * not read it (pg_read_all_stats) either, all that is known is that a receiver gives up after wal_receiver_timeout of silence. Without a receiver nothing is known but the replayed transactions.
 */
const text = `
  select extract(epoch from greatest(
    coalesce(pg_last_xact_replay_timestamp(), (select checkpoint_time from pg_control_checkpoint())),
    report_primary_heard_at()
  )) * 1000
  where pg_is_in_recovery()`;

/** Up to when a replica has replayed its primary's changes, by the primary's clock; null on a server that is not a replica. */
export async function readReplayedUntil(client: Client): Promise<Date | null> {
  const [row] = await readTexts(client, { text, values: [] });
  return row === undefined ? null : new Date(Math.floor(Number(row[0])));
}
