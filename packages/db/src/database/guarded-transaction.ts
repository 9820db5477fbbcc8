import { setTimeout as delay } from "node:timers/promises";
import { OutcomeUnknownError, StoreUnavailableError } from "@reports/core/base";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Call } from "./call.ts";
import { clientOf } from "./client-of.ts";
import type { Queries } from "./queries.ts";
import { codeOf, isRefused, isUnavailable } from "./store-error.ts";

/** SQLSTATE of a statement timeout. A process that was stopped during COMMIT may report it after the commit: docs/decisions/0018-what-was-refused-never-commits.md. */
const statementTimeout = "57014";
const pollEveryMs = 200;

/** Reports whether a transaction without a COMMIT result happened. It looks for a row that only this transaction writes. */
export type TransactionCheck = (queries: Queries) => Promise<boolean>;

/**
 * Runs a transaction that never commits after its caller gave up. The client checks the deadline before it sends COMMIT. A guard statement
 * ahead of COMMIT fails if the deadline has passed by the server's clock. So a stopped server or a slow network does not commit hours
 * later. If the connection is lost during COMMIT, `hasHappened` decides about the result.
 */
export async function runGuarded<T>(
  queries: PostgresJsDatabase,
  call: Call,
  work: (tx: Queries) => Promise<T>,
  hasHappened: TransactionCheck | undefined,
  isStandbyDelaying: () => Promise<boolean>,
): Promise<T> {
  let guard: Promise<unknown> = Promise.resolve();
  let result: { readonly value: T } | undefined;
  try {
    await queries.transaction(async (tx) => {
      // Postgres may have taken long to begin the transaction.
      call.signal.throwIfAborted();
      // now() is the transaction's start and thus in the past. The deadline by the server's clock is therefore not later than the caller's.
      const text = guardStatement(call.remainingMs());
      result = { value: await work(tx) };
      call.signal.throwIfAborted();
      call.markCommitting();
      // Not awaited, so that COMMIT follows in the same packet. If the guard fails, Postgres rolls the transaction back.
      guard = sendSimpleQuery(tx, text);
      guard.catch(() => undefined);
    });
    await guard.catch((error: unknown) => {
      throw new StoreUnavailableError("Postgres answered too late; the transaction was rolled back.", { cause: error });
    });
  } catch (error) {
    const isRolledBack = isRefused(error) && codeOf(error) !== statementTimeout;
    const isOutcomeUnknown = call.isCommitting && result !== undefined && isUnavailable(error) && !isRolledBack;
    if (
      !isOutcomeUnknown ||
      hasHappened === undefined ||
      !(await pollUntilCertain(queries, call, hasHappened, isStandbyDelaying))
    )
      throw error;
  }
  return result!.value;
}

/** The failing cast puts this sentence into Postgres's log, where operators can read why the statement failed. */
function guardStatement(remainingMs: number): string {
  return `select case when clock_timestamp() > now() + interval '${Math.floor(remainingMs)} milliseconds'
    then ('the caller has given up waiting for this transaction at ' || clock_timestamp())::integer end`;
}

/** Sends a query without parameters, after everything that the transaction has sent before. */
function sendSimpleQuery(tx: Queries, text: string): Promise<unknown> {
  return clientOf(tx).unsafe(text).execute();
}

/** Calls `hasHappened` until its answer is certain. Once the guard refuses every COMMIT, a transaction that is not visible never will be. */
async function pollUntilCertain(
  queries: Queries,
  call: Call,
  hasHappened: TransactionCheck,
  isStandbyDelaying: () => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    const isDecided = call.remainingMs() < -pollEveryMs;
    const answer = await hasHappened(queries).catch((error: unknown) => {
      if (isUnavailable(error)) return null;
      throw error;
    });
    if (answer === true) return true;
    if (answer === false && isDecided) {
      // A COMMIT that waits for a standby is not visible yet.
      if (await isStandbyDelaying()) throw new OutcomeUnknownError("A transaction may wait for a synchronous standby.");
      return false;
    }
    await delay(pollEveryMs, undefined, { signal: call.signal });
  }
}
