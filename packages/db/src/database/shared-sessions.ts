import { StoreUnavailableError } from "@reports/core/base";
import { addAbortListener } from "node:events";
import type { Client } from "pg";
import { splitHostUrls } from "./host-urls.ts";
import { connectPgClient, destroySocket, readTextRows, type PgConnectionOptions } from "./pg-connection.ts";
import { describePostgresError, firstErrorCodeOf, isPostgresError, ServerRefusedError } from "./store-error.ts";

export const sharedSessionsProblem =
  "leads to a connection pooler in transaction or statement mode, in which sessions are shared; give pgbouncer pool_mode = session for this database, or name Postgres itself";

/**
 * How often the server processes of the two connections are compared. One round finds a pooler without other clients. Transactions of other clients
 * can hide it in some rounds.
 */
const maxRounds = 5;

/**
 * Reports whether a pooler such as pgbouncer shares sessions between clients (transaction or statement mode). Settings, LISTEN, prepared
 * statements and session locks would then reach other clients. Compares the server processes of two connections: without sharing, they differ and
 * stay the same. Rejects with StoreUnavailableError, or with the signal's reason if the signal aborts while connecting.
 */
export async function hasSharedSessions(url: string, signal: AbortSignal | null): Promise<boolean> {
  const options: PgConnectionOptions = {
    url,
    database: "source",
    connectTimeoutMs: 5_000,
    applicationName: "reports-look",
  };
  const first = await connectPgClient(options, signal);
  using _ = signal && addAbortListener(signal, () => destroySocket(first));
  try {
    const backend = await backendOf(first);
    const second = await connectPgClient(options, signal);
    try {
      for (let round = 0; round < maxRounds; round++) {
        await second.query("begin");
        const other = await backendOf(second);
        if (other === backend || (await backendOf(first)) !== backend) return true;
        await second.query("rollback");
        // Most poolers use the server process next that was released last, here that of `second`. Without this request, each round could begin in the
        // state in which the last one began. With it in each round, this could happen with poolers that take turns.
        if (round % 2 === 0 && (await backendOf(first)) !== backend) return true;
      }
      return false;
    } catch (error) {
      // In statement mode, pgbouncer answers BEGIN with this error.
      if (firstErrorCodeOf(error) === "08P01") return true;
      throw error;
    } finally {
      destroySocket(second);
    }
  } finally {
    destroySocket(first);
  }
}

/** Returns the sources of which any host shares sessions. Calls `onUnreachable` for a host that can't be checked, which must not block a start. */
export async function findSourcesSharingSessions(
  sources: Readonly<Record<string, { readonly url: string }>>,
  options: { readonly signal: AbortSignal; onUnreachable(name: string, error: Error): void },
): Promise<readonly string[]> {
  const checks = Object.entries(sources).flatMap(([name, { url }]) =>
    splitHostUrls(url).map(async (host) => {
      try {
        return (await hasSharedSessions(host, options.signal)) ? [name] : [];
      } catch (error) {
        if (error instanceof StoreUnavailableError || error instanceof ServerRefusedError)
          options.onUnreachable(name, error);
        else if (isPostgresError(error))
          options.onUnreachable(name, new Error(describePostgresError(error), { cause: error }));
        else throw error;
        return [];
      }
    }),
  );
  return [...new Set((await Promise.all(checks)).flat())];
}

async function backendOf(client: Client): Promise<string> {
  const [row] = await readTextRows(client, {
    text: "select pg_backend_pid(), pg_postmaster_start_time()",
    values: [],
  });
  return row!.join(" ");
}
