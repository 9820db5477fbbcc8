import { withQueryTimeout } from "./query-timeout.ts";
import { connectPgClient, destroySocket, readTextRows } from "./pg-connection.ts";

const timeoutMs = 2_000;

/**
 * Creates a check that reports whether a COMMIT of this user has waited for a synchronous standby for `waitMs`. It resolves to false if Postgres
 * does not respond within 2 s. It opens its own connection, because every connection of the pool may be waiting. Concurrent calls share one check.
 */
export function createStandbyDelayCheck(url: string, waitMs: number): () => Promise<boolean> {
  let current: Promise<boolean> | null = null;
  return async () => {
    current ??= readStandbyWait(url, waitMs)
      .catch(() => false)
      .finally(() => (current = null));
    return current;
  };
}

async function readStandbyWait(url: string, waitMs: number): Promise<boolean> {
  const options = { url, database: "service", connectTimeoutMs: timeoutMs, applicationName: "reports-look" } as const;
  const client = await connectPgClient(options, AbortSignal.timeout(timeoutMs));
  try {
    const rows = await withQueryTimeout(
      readTextRows(client, {
        text: `select from pg_stat_activity where datname = current_database() and usename = session_user and wait_event = 'SyncRep'
          and clock_timestamp() - query_start >= $1::double precision * interval '1 millisecond' limit 1`,
        values: [String(waitMs)],
      }),
      timeoutMs,
    );
    return rows.length > 0;
  } finally {
    destroySocket(client);
  }
}
