import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailableError, awaitUnlessAborted } from "@reports/core/base";
import { connectPgClient, destroySocket } from "../database/pg-connection.ts";
import { hasSharedSessions, sharedSessionsProblem } from "../database/shared-sessions.ts";
import { isLoginRefused, connectionRefusalMessage } from "../database/store-error.ts";
import { readMigrationState } from "./database-version.ts";

const pauseMs = 1_000;
const reportEveryMs = 10_000;
/** Time limit in ms of one check. A server that stopped in the middle of a response gets another check afterwards. */
const checkTimeoutMs = 15_000;
/**
 * Time in ms after which `onWait` reports a running check. A host that drops packets sends no error, so the check would end only at its time limit.
 */
const firstReportMs = 1_000;

/**
 * Waits until the database is reachable, has this program's schema, and gives each connection a session of its own. Then resolves with null.
 * Resolves immediately with a text that continues "DATABASE_URL …" if waiting can't help: a refused certificate, a missing database, a pooler that
 * shares sessions. Calls `onWait` with the reason within about a second, and then every ten seconds. Rejects with StoreUnavailableError after
 * `timeoutMs`, and with the signal's reason if it aborts.
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
        const refusal = connectionRefusalMessage(error);
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

async function checkOnce(options: {
  readonly databaseUrl: string;
  readonly queueSchema?: string;
  readonly signal: AbortSignal;
}): Promise<string | null> {
  const { databaseUrl, signal } = options;
  // Uses pg, because postgres.js does not report why it cannot connect and can't abort an attempt.
  const connection = {
    url: databaseUrl,
    database: "service",
    connectTimeoutMs: 5_000,
    applicationName: "reports-look",
  } as const;
  destroySocket(await connectPgClient(connection, signal));
  const found = await readMigrationState(options);
  if (found.problem !== null) throw new StoreUnavailableError(found.problem);
  return (await hasSharedSessions(databaseUrl, signal)) ? sharedSessionsProblem : null;
}

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

function reasonOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error) {
    const deeper: unknown = innermost instanceof AggregateError ? innermost.errors[0] : innermost.cause;
    if (!(deeper instanceof Error)) break;
    innermost = deeper;
  }
  return innermost instanceof Error ? innermost.message : String(innermost);
}
