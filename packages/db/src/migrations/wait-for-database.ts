import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailableError, awaitUnlessAborted } from "@reports/core/base";
import { connect, destroySocket } from "../database/pg-connection.ts";
import { hasSharedSessions, sharedSessionsProblem } from "../database/shared-sessions.ts";
import { isLoginRefused, refusalOf } from "../database/store-error.ts";
import { checkMigrations } from "./database-version.ts";

const pauseMs = 1_000;
const reportEveryMs = 10_000;
/** Time limit in ms of one check. Then a server that stopped during a response is asked again. */
const checkTimeoutMs = 15_000;
/** A check that takes longer is reported before it ends, because a host that drops packets stays silent until the connection times out. */
const firstReportMs = 1_000;

/**
 * Waits until the database is reachable, has the schema that this program needs, and gives each connection its own session. Then it
 * resolves with null. If waiting can't solve the problem (a refused certificate, a missing database, a pooler that shares sessions), it resolves
 * immediately with a text that continues "DATABASE_URL …". Calls `onWait` with the reason soon, and then every ten seconds. After
 * `timeoutMs` it rejects with StoreUnavailableError, whose message is the last reason. If the signal aborts, it rejects with the signal's
 * reason.
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
    const outcome = await awaitUnlessAborted(checkOnce({ ...options, signal: ending }), ending).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        if (ending.aborted) return new StoreUnavailableError(`Postgres did not answer within ${checkTimeoutMs} ms.`);
        const refusal = refusalOf(error);
        return refusal === null || isLoginRefused(error) ? (error as Error) : `is refused: ${refusal}`;
      },
    );
    if (!(outcome instanceof Error)) return outcome;
    const reason = reasonOf(outcome);
    if (performance.now() >= until) throw new StoreUnavailableError(reason, { cause: outcome });
    reporter.report(reason);
    await delay(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Checks the database once. Rejects with the reason to wait. */
async function checkOnce(options: {
  readonly databaseUrl: string;
  readonly queueSchema?: string;
  readonly signal: AbortSignal;
}): Promise<string | null> {
  const { databaseUrl, signal } = options;
  // Uses pg, because postgres.js does not report why it cannot connect, and its attempts cannot be aborted.
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

/** Passes on a reason immediately if it is the first one or ten seconds have passed. Otherwise it is kept, and the latest reason is repeated every ten seconds. */
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

/** Returns the message of the innermost cause. If several addresses were tried, returns that of the first. */
function reasonOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error) {
    const deeper: unknown = innermost instanceof AggregateError ? innermost.errors[0] : innermost.cause;
    if (!(deeper instanceof Error)) break;
    innermost = deeper;
  }
  return innermost instanceof Error ? innermost.message : String(innermost);
}
