import { setTimeout as delay } from "node:timers/promises";
import { OutcomeUnknownError, StoreUnavailableError } from "@reports/core/base";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Call } from "./call.ts";
import { clientOf } from "./client-of.ts";
import type { Queries } from "./queries.ts";
import { codeOf, isRefused, isUnavailable } from "./store-error.ts";

/**
 * Postgres looks for interrupts no more once it has begun to commit: a time-out that comes between its last look and its commit (of a process
 * that was stopped there, say) is told after the commit has happened. docs/decisions/0018-what-was-refused-never-commits.md.
 */
const statementTimeout = "57014";
/** How often it is asked what became of a transaction. */
const askEveryMs = 200;

/** What tells whether a transaction took place whose COMMIT was never answered: looks for something that it alone writes. */
export type HasHappened = (queries: Queries) => Promise<boolean>;

/**
 * Runs a transaction that does not commit once its caller has given up. The client looks before it sends COMMIT. From then on the server
 * looks: a statement that goes ahead of COMMIT fails when the caller's time is over by the server's own clock, so that a server which was
 * stopped, or a network which held the statement back, does not commit hours later what was refused long since. The caller waits for the
 * answer meanwhile; when the connection is lost instead, `hasHappened` is asked.
 */
export async function runGuarded<T>(
  queries: PostgresJsDatabase,
  call: Call,
  work: (tx: Queries) => Promise<T>,
  hasHappened: HasHappened | undefined,
  isHeld: () => Promise<boolean>,
): Promise<T> {
  let guard: Promise<unknown> = Promise.resolve();
  let result: { readonly value: T } | undefined;
  try {
    await queries.transaction(async (tx) => {
      // It may have waited for long until Postgres began it.
      call.signal.throwIfAborted();
      // now() is earlier than this moment, so that the server's time is over no later than the caller's.
      const text = guardText(call.remainingMs());
      result = { value: await work(tx) };
      call.signal.throwIfAborted();
      call.commits();
      // Not awaited: COMMIT follows in the same packet. A transaction whose guard has failed is rolled back by it.
      guard = sendSimple(tx, text);
      guard.catch(() => undefined);
    });
    await guard.catch((error: unknown) => {
      throw new StoreUnavailableError("Postgres answered too late; the transaction was rolled back.", { cause: error });
    });
  } catch (error) {
    const isUndone = isRefused(error) && codeOf(error) !== statementTimeout;
    const isOpen = call.isCommitting && result !== undefined && isUnavailable(error) && !isUndone;
    if (!isOpen || hasHappened === undefined || !(await askUntilKnown(queries, call, hasHappened, isHeld))) throw error;
  }
  return result!.value;
}

/** A query that names its error in words that an operator understands who finds it in Postgres's log. */
function guardText(remainingMs: number): string {
  return `select case when clock_timestamp() > now() + interval '${Math.floor(remainingMs)} milliseconds'
    then ('the caller has given up waiting for this transaction at ' || clock_timestamp())::integer end`;
}

/** Sends a query without parameters at once, behind what the transaction has sent so far. */
function sendSimple(tx: Queries, text: string): Promise<unknown> {
  return clientOf(tx).unsafe(text).execute();
}

/** Whether the transaction took place. What is not seen once the guard refuses every further COMMIT will not be. */
async function askUntilKnown(
  queries: Queries,
  call: Call,
  hasHappened: HasHappened,
  isHeld: () => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    const isDecided = call.remainingMs() < -askEveryMs;
    const answer = await hasHappened(queries).catch((error: unknown) => {
      if (isUnavailable(error)) return null;
      throw error;
    });
    if (answer === true) return true;
    if (answer === false && isDecided) {
      // A COMMIT that waits for a standby is not seen yet, and will be.
      if (await isHeld()) throw new OutcomeUnknownError("A transaction may wait for a synchronous standby.");
      return false;
    }
    await delay(askEveryMs, undefined, { signal: call.signal });
  }
}
