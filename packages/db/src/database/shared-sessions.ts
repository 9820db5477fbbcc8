import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core";
import type { Client } from "pg";
import { hostUrls } from "./host-urls.ts";
import { connect, destroySocket, readTexts, type ConnectionOptions } from "./pg-connection.ts";
import { codeOf } from "./store-error.ts";

/** What is wrong with a URL of which `hasSharedSessions` is true, and what to do. */
export const sharedSessionsProblem =
  "leads to a connection pooler in transaction or statement mode, in which sessions are shared; give pgbouncer pool_mode = session for this database, or name Postgres itself";

/** Between two attempts while the database is unavailable. */
const pauseBetweenMs = 1_000;

/** How often the two connections are asked; a pooler that gives out its servers in turn shows itself at once, any other at the first. */
const rounds = 3;

/**
 * Whether sessions are shared by connections: a pooler such as pgbouncer stands in between, in transaction or statement mode. There
 * settings, LISTEN, prepared statements and locks of a session reach whoever comes next, so that the service seems to work and does not.
 * Holds two connections at once: where each has a session of its own, their backends differ and stay. Asks again, once a second, while
 * the database is away; rejects with StoreUnavailableError when it still is after `timeoutMs`, and with the signal's reason when that aborts
 * between two tries.
 */
export async function hasSharedSessions(
  url: string,
  {
    timeoutMs,
    signal,
    pauseMs = pauseBetweenMs,
  }: { readonly timeoutMs: number; readonly signal?: AbortSignal; readonly pauseMs?: number },
): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await lookForSharedSessions(url);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || performance.now() >= until) throw error;
    }
    // What it rejects with names the signal's reason as its cause only.
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Names of the sources whose sessions are shared, on any of their hosts. Looks once: a host that is away is told to `onUnreachable` and taken
 * for one that is as it should be.
 */
export async function findSharedSources(
  sources: Readonly<Record<string, { readonly url: string }>>,
  options: { readonly signal: AbortSignal; onUnreachable(name: string, error: StoreUnavailableError): void },
): Promise<readonly string[]> {
  const looks = Object.entries(sources).flatMap(([name, { url }]) =>
    hostUrls(url).map(async (host) => {
      try {
        return (await hasSharedSessions(host, { timeoutMs: 0, signal: options.signal })) ? [name] : [];
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        options.onUnreachable(name, error);
        return [];
      }
    }),
  );
  return [...new Set((await Promise.all(looks)).flat())];
}

async function lookForSharedSessions(url: string): Promise<boolean> {
  const options: ConnectionOptions = { url, connectTimeoutMs: 5_000, applicationName: "reports-look" };
  const first = await connect(options, null);
  try {
    const backend = await backendOf(first);
    const second = await connect(options, null);
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
    destroySocket(first);
  }
}

/** Which process of which server. */
async function backendOf(client: Client): Promise<string> {
  const [row] = await readTexts(client, {
    text: "select pg_backend_pid(), pg_postmaster_start_time()",
    values: [],
  });
  return row!.join(" ");
}
