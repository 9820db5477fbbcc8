import type { Client } from "pg";
import { readTexts } from "../database/pg-connection.ts";
import { codeOf } from "../database/store-error.ts";

/** No row on a primary. Otherwise whether it is a replica of the service's own database, which has the function. */
const kindText = "select to_regprocedure('public.report_primary_heard_at()') is not null where pg_is_in_recovery()";

/**
 * A replica knows up to when it has replayed: the commit time of the last transaction (before the first since its start, the checkpoint's time). If it has replayed everything received, it is as
 * new as its primary's last message, whose time a function of the owner reads. If the owner may not read it either (pg_read_all_stats), a receiver gives up after wal_receiver_timeout of
 * silence. Without a receiver only replayed transactions are known.
 */
const textWith = (primaryHeardAt: string): string => `
  select extract(epoch from greatest(
    coalesce(pg_last_xact_replay_timestamp(), (select checkpoint_time from pg_control_checkpoint())),
    ${primaryHeardAt}
  )) * 1000`;

/** The function's query, with the rights of the source's role. */
const heardAt = `(
  select coalesce(last_msg_send_time, clock_timestamp() - nullif(current_setting('wal_receiver_timeout')::interval, interval '0'))
  from pg_stat_wal_receiver
  where pid is not null and coalesce(status, 'streaming') = 'streaming' and pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn())`;

const ownText = textWith("public.report_primary_heard_at()");
const otherText = textWith(heardAt);

/** Up to when a replica has replayed its primary, by the primary's clock; null where nothing is replayed, as on Aurora readers. */
export async function readReplayedUntil(client: Client): Promise<Date | null> {
  const [kind] = await readTexts(client, { text: kindText, values: [] });
  if (kind === undefined) return null;
  try {
    const [row] = await readTexts(client, { text: kind[0] === "t" ? ownText : otherText, values: [] });
    return new Date(Math.floor(Number(row![0])));
  } catch (error) {
    if (codeOf(error) === "0A000") return null;
    throw error;
  }
}
