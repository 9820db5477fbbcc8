import { StoreUnavailableError } from "@reports/core/base";
import type { Client } from "pg";
import { splitHostUrls } from "./host-urls.ts";
import { connect, destroySocket, readTexts, type ConnectionOptions } from "./pg-connection.ts";
import { serverErrorText, codeOf, isServerError, ServerRefusedError } from "./store-error.ts";

/** Describes the problem of a URL for which `hasSharedSessions` is true, and the remedy. It continues a sentence that starts with the variable. */
export const sharedSessionsProblem =
  "leads to a connection pooler in transaction or statement mode, in which sessions are shared; give pgbouncer pool_mode = session for this database, or name Postgres itself";

/** How often the two connections are compared. Poolers that rotate servers are found in the first round, others later. */
const maxRounds = 3;

/**
 * Reports whether a pooler such as pgbouncer shares sessions (transaction or statement mode). Settings, LISTEN, prepared statements and
 * session locks would then reach other clients, and the service would only seem to work. Holds two connections: without a shared session
 * their backends differ and stay the same. Rejects with StoreUnavailableError, or with the signal's reason if it aborts while connecting.
 */
export async function hasSharedSessions(url: string, signal: AbortSignal | null): Promise<boolean> {
  const options: ConnectionOptions = {
    url,
    // The service's session settings don't matter for this check.
    database: "source",
    connectTimeoutMs: 5_000,
    applicationName: "reports-look",
  };
  const first = await connect(options, signal);
  const abort = (): void => destroySocket(first);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const backend = await backendOf(first);
    const second = await connect(options, signal);
    try {
      for (let round = 0; round < maxRounds; round++) {
        await second.query("begin");
        const other = await backendOf(second);
        if (other === backend || (await backendOf(first)) !== backend) return true;
        await second.query("rollback");
      }
      return false;
    } catch (error) {
      // pgbouncer's response to BEGIN in statement mode.
      if (codeOf(error) === "08P01") return true;
      throw error;
    } finally {
      destroySocket(second);
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    destroySocket(first);
  }
}

/** Returns the sources that share sessions on any host. Calls `onUnreachable` for hosts that fail, which must not block a start. */
export async function findSharedSources(
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
        else if (isServerError(error)) options.onUnreachable(name, new Error(serverErrorText(error), { cause: error }));
        else throw error;
        return [];
      }
    }),
  );
  return [...new Set((await Promise.all(checks)).flat())];
}

async function backendOf(client: Client): Promise<string> {
  const [row] = await readTexts(client, {
    text: "select pg_backend_pid(), pg_postmaster_start_time()",
    values: [],
  });
  return row!.join(" ");
}
