import type { Client } from "pg";
import { readTextRows } from "../database/pg-connection.ts";
import { firstErrorCodeOf } from "../database/store-error.ts";

/**
 * Returns no row on a primary. On a replica, the row reports whether the database has the function report_primary_heard_at, as the service's own
 * database does.
 */
const replicaKindQuery =
  "select to_regprocedure('public.report_primary_heard_at()') is not null where pg_is_in_recovery()";

/**
 * Returns the query for the time up to which a replica has replayed its primary. It is the commit time of the last replayed transaction, or the last
 * checkpoint if none was replayed since the start. If all received changes are replayed, the time of the primary's last message counts, which is
 * later.
 */
const createReplayQuery = (primaryHeardAt: string): string => `
  select extract(epoch from greatest(
    coalesce(pg_last_xact_replay_timestamp(), (select checkpoint_time from pg_control_checkpoint())),
    ${primaryHeardAt}
  )) * 1000`;

/**
 * The query of report_primary_heard_at(), for databases without that function. A role without pg_read_all_stats can't see the time of the last
 * message. Then the time is `wal_receiver_timeout` before now, because a replica gives up a primary that is silent for longer.
 */
const lastMessageTime = `(
  select coalesce(last_msg_send_time, clock_timestamp() - nullif(current_setting('wal_receiver_timeout')::interval, interval '0'))
  from pg_stat_wal_receiver
  where pid is not null and coalesce(status, 'streaming') = 'streaming' and pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn())`;

const ownDatabaseQuery = createReplayQuery("public.report_primary_heard_at()");
const otherDatabaseQuery = createReplayQuery(lastMessageTime);

/**
 * Returns the time up to which a replica has replayed its primary, by the primary's clock. Returns null on a primary, and on a replica that replays
 * nothing, such as an Aurora reader.
 */
export async function readReplayedUntil(client: Client): Promise<Date | null> {
  const [kind] = await readTextRows(client, { text: replicaKindQuery, values: [] });
  if (kind === undefined) return null;
  try {
    const [row] = await readTextRows(client, {
      text: kind[0] === "t" ? ownDatabaseQuery : otherDatabaseQuery,
      values: [],
    });
    return new Date(Math.floor(Number(row![0])));
  } catch (error) {
    if (firstErrorCodeOf(error) === "0A000") return null;
    throw error;
  }
}
