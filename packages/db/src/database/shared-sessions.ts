import { StoreUnavailableError } from "@reports/core/base";
import type { Client } from "pg";
import { hostUrls } from "./host-urls.ts";
import { connect, destroySocket, readTexts, type ConnectionOptions } from "./pg-connection.ts";
import { answerText, codeOf, isAnswer, ServerRefusedError } from "./store-error.ts";

/** What is wrong with a URL of which `hasSharedSessions` is true, and what to do. */
export const sharedSessionsProblem =
  "leads to a connection pooler in transaction or statement mode, in which sessions are shared; give pgbouncer pool_mode = session for this database, or name Postgres itself";

/** How often the two connections are asked; a pooler that gives out its servers in turn shows itself at once, any other at the first. */
const rounds = 3;

/**
 * Whether sessions are shared by connections: a pooler such as pgbouncer stands in between, in transaction or statement mode. There
 * settings, LISTEN, prepared statements and locks of a session reach whoever comes next, so that the service seems to work and does not.
 * Holds two connections at once: where each has a session of its own, their backends differ and stay. Rejects with StoreUnavailableError when
 * Postgres cannot be reached, and with the signal's reason when that aborts while it connects.
 */
export async function hasSharedSessions(url: string, signal: AbortSignal | null): Promise<boolean> {
  const options: ConnectionOptions = {
    url,
    // Settings of the session don't matter here.
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
      for (let round = 0; round < rounds; round++) {
        await second.query("begin");
        const other = await backendOf(second);
        if (other === backend || (await backendOf(first)) !== backend) return true;
        await second.query("rollback");
      }
      return false;
    } catch (error) {
      // What pgbouncer says to BEGIN in statement mode.
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

/**
 * Names of the sources whose sessions are shared, on any of their hosts. Checks once. A host that does not answer, or answers with an error,
 * is reported to `onUnreachable` and counts as one without a pooler: it must not keep a process from starting.
 */
export async function findSharedSources(
  sources: Readonly<Record<string, { readonly url: string }>>,
  options: { readonly signal: AbortSignal; onUnreachable(name: string, error: Error): void },
): Promise<readonly string[]> {
  const looks = Object.entries(sources).flatMap(([name, { url }]) =>
    hostUrls(url).map(async (host) => {
      try {
        return (await hasSharedSessions(host, options.signal)) ? [name] : [];
      } catch (error) {
        if (error instanceof StoreUnavailableError || error instanceof ServerRefusedError)
          options.onUnreachable(name, error);
        else if (isAnswer(error)) options.onUnreachable(name, new Error(answerText(error), { cause: error }));
        else throw error;
        return [];
      }
    }),
  );
  return [...new Set((await Promise.all(looks)).flat())];
}

/** Which process of which server. */
async function backendOf(client: Client): Promise<string> {
  const [row] = await readTexts(client, {
    text: "select pg_backend_pid(), pg_postmaster_start_time()",
    values: [],
  });
  return row!.join(" ");
}
