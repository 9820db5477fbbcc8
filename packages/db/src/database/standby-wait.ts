import { answerInTime } from "./answer-in-time.ts";
import { connect, destroySocket, readTexts } from "./pg-connection.ts";

/** Deadline of the check. */
const patienceMs = 2_000;

/**
 * Creates a check that resolves with true while a COMMIT of this user's has waited for a synchronous standby for `waitMs`, and with false
 * otherwise, and where Postgres does not say so in time. It uses a connection of its own, because those of a pool may all be waiting. Calls
 * at the same time share one.
 */
export function createStandbyWait(url: string, waitMs: number): () => Promise<boolean> {
  let current: Promise<boolean> | null = null;
  return async () => {
    current ??= look(url, waitMs)
      .catch(() => false)
      .finally(() => (current = null));
    return current;
  };
}

async function look(url: string, waitMs: number): Promise<boolean> {
  const options = { url, database: "service", connectTimeoutMs: patienceMs, applicationName: "reports-look" } as const;
  const client = await connect(options, AbortSignal.timeout(patienceMs));
  try {
    const rows = await answerInTime(
      readTexts(client, {
        text: `select from pg_stat_activity where datname = current_database() and usename = session_user and wait_event = 'SyncRep'
          and clock_timestamp() - query_start >= $1::double precision * interval '1 millisecond' limit 1`,
        values: [String(waitMs)],
      }),
      patienceMs,
    );
    return rows.length > 0;
  } finally {
    destroySocket(client);
  }
}
