import { setTimeout as delay } from "node:timers/promises";
import { CommitOutcomeUnknownError, StoreUnavailableError } from "@reports/core/base";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { DatabaseCall } from "./call.ts";
import { sqlClientOf } from "./sql-client-of.ts";
import type { Queries } from "./queries.ts";
import { firstErrorCodeOf, isStatementRefused, isUnavailabilityError } from "./store-error.ts";

/** SQLSTATE of a statement timeout. Postgres may report it after the commit: docs/decisions/0018-what-was-refused-never-commits.md. */
const statementTimeout = "57014";
const pollEveryMs = 200;

/** Reports whether a transaction committed although its result was lost. The check looks for a row that only that transaction writes. */
export type CommitCheck = (queries: Queries) => Promise<boolean>;

/**
 * Runs a transaction that never commits after its caller gave up, however late Postgres receives the COMMIT. The client sends no COMMIT
 * after the deadline. Before COMMIT it sends a guard: a statement that fails if the deadline has passed by Postgres's clock. If the
 * connection is lost during COMMIT, `hasHappened` finds out whether the transaction committed.
 */
export async function runGuardedTransaction<T>(
  queries: PostgresJsDatabase,
  call: DatabaseCall,
  work: (tx: Queries) => Promise<T>,
  hasHappened: CommitCheck | undefined,
  isStandbyDelaying: () => Promise<boolean>,
): Promise<T> {
  let guard: Promise<unknown> = Promise.resolve();
  let result: { readonly value: T } | undefined;
  try {
    await queries.transaction(async (tx) => {
      // The deadline may have passed while Postgres began the transaction.
      call.signal.throwIfAborted();
      // The guard counts from now(), the start of the transaction, which is already past. So Postgres's deadline is never later than the
      // caller's.
      const text = guardStatement(call.remainingMs());
      result = { value: await work(tx) };
      call.signal.throwIfAborted();
      call.markCommitting();
      // The guard is not awaited, so that COMMIT is in the same packet. If the guard fails, Postgres executes COMMIT as a rollback.
      guard = sendSimpleQuery(tx, text);
      guard.catch(() => undefined);
    });
    await guard.catch((error: unknown) => {
      throw new StoreUnavailableError("Postgres answered too late; the transaction was rolled back.", { cause: error });
    });
  } catch (error) {
    const isRolledBack = isStatementRefused(error) && firstErrorCodeOf(error) !== statementTimeout;
    const isOutcomeUnknown = call.isCommitting && result !== undefined && isUnavailabilityError(error) && !isRolledBack;
    if (
      !isOutcomeUnknown ||
      hasHappened === undefined ||
      !(await pollUntilCertain(queries, call, hasHappened, isStandbyDelaying))
    )
      throw error;
  }
  return result!.value;
}

/**
 * Returns the guard: a statement that casts a sentence to integer after the deadline, which fails. Postgres logs the sentence, so operators see the
 * reason.
 */
function guardStatement(remainingMs: number): string {
  return `select case when clock_timestamp() > now() + interval '${Math.floor(remainingMs)} milliseconds'
    then ('the caller has given up waiting for this transaction at ' || clock_timestamp())::integer end`;
}

/** Sends a query in the simple protocol. It goes directly to the driver, which keeps its order behind the transaction's earlier statements. */
function sendSimpleQuery(tx: Queries, text: string): Promise<unknown> {
  return sqlClientOf(tx).unsafe(text).execute();
}

/** Repeats `hasHappened` until the outcome is certain. After the deadline, the guard refuses every COMMIT, so a missing row never appears later. */
async function pollUntilCertain(
  queries: Queries,
  call: DatabaseCall,
  hasHappened: CommitCheck,
  isStandbyDelaying: () => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    const isDecided = call.remainingMs() < -pollEveryMs;
    const answer = await hasHappened(queries).catch((error: unknown) => {
      if (isUnavailabilityError(error)) return null;
      throw error;
    });
    if (answer === true) return true;
    if (answer === false && isDecided) {
      // While a COMMIT waits for a standby, its rows are not visible yet. So `hasHappened` cannot tell whether the transaction commits.
      if (await isStandbyDelaying())
        throw new CommitOutcomeUnknownError("A transaction may wait for a synchronous standby.");
      return false;
    }
    await delay(pollEveryMs, undefined, { signal: call.signal });
  }
}
