import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailableError, unlessAborted } from "@reports/core/base";
import { connect, destroySocket } from "../database/pg-connection.ts";
import { hasSharedSessions, sharedSessionsProblem } from "../database/shared-sessions.ts";
import { refusalOf } from "../database/store-error.ts";
import { checkMigrations } from "./database-version.ts";

const pauseMs = 1_000;
const reportEveryMs = 10_000;
/** A server that stopped during an answer is asked again after this. */
const checkTimeoutMs = 15_000;
/** A longer checkOnce is reported before it ends: a host that drops packets is silent until the connection's timeout. */
const firstReportMs = 1_000;

/**
 * Waits until the database can be reached, has the schema that this program expects, and gives each connection its own session; then
 * resolves with null. Resolves immediately with a problem that waiting cannot solve (a refused password or certificate, a pooler that shares
 * sessions), as a text that completes "DATABASE_URL …". Calls `onWait` with the reason soon and every ten seconds. After `timeoutMs` rejects
 * with StoreUnavailableError, whose message is the last reason; if the signal aborts, with its reason.
 */
export async function waitForDatabase(options: {
  readonly databaseUrl: string;
  readonly queueSchema?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onWait: (reason: string) => void;
}): Promise<string | null> {
  const { signal } = options;
  const until = performance.now() + options.timeoutMs;
  using reporter = createWaitReporter(options.onWait);
  for (;;) {
    signal.throwIfAborted();
    const ending = AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]);
    const outcome = await unlessAborted(checkOnce({ ...options, signal: ending }), ending).catch((error: unknown) => {
      signal.throwIfAborted();
      if (ending.aborted) return new StoreUnavailableError(`Postgres did not answer within ${checkTimeoutMs} ms.`);
      const refusal = refusalOf(error);
      return refusal === null ? (error as Error) : `is refused: ${refusal}`;
    });
    if (!(outcome instanceof Error)) return outcome;
    const reason = reasonOf(outcome);
    if (performance.now() >= until) throw new StoreUnavailableError(reason, { cause: outcome });
    reporter.report(reason);
    await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Rejects with the reason to wait as an Error. */
async function checkOnce(options: {
  readonly databaseUrl: string;
  readonly queueSchema?: string;
  readonly signal: AbortSignal;
}): Promise<string | null> {
  const { databaseUrl, signal } = options;
  // Uses pg, because postgres.js does not say why it cannot connect, and cannot be aborted.
  const connection = {
    url: databaseUrl,
    database: "service",
    connectTimeoutMs: 5_000,
    applicationName: "reports-look",
  } as const;
  destroySocket(await connect(connection, signal));
  const found = await checkMigrations(options);
  if (found.problem !== null) throw new StoreUnavailableError(found.problem);
  return (await hasSharedSessions(databaseUrl, signal)) ? sharedSessionsProblem : null;
}

/** Passes a reason on immediately if ten seconds have passed since the last, and repeats the latest. */
function createWaitReporter(onWait: (reason: string) => void): Disposable & { report(reason: string): void } {
  let latest = "it has not answered yet";
  let dueAt = performance.now() + firstReportMs;
  const reportIfDue = (): void => {
    if (performance.now() < dueAt) return;
    dueAt = performance.now() + reportEveryMs;
    onWait(latest);
  };
  const timer = setInterval(reportIfDue, firstReportMs);
  let isFirst = true;
  return {
    report(reason) {
      latest = reason;
      if (isFirst) dueAt = -Infinity;
      isFirst = false;
      reportIfDue();
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Returns the innermost cause's message; with several addresses, the first one's. */
function reasonOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error) {
    const deeper: unknown = innermost instanceof AggregateError ? innermost.errors[0] : innermost.cause;
    if (!(deeper instanceof Error)) break;
    innermost = deeper;
  }
  return innermost instanceof Error ? innermost.message : String(innermost);
}
