import { DomainError } from "@reports/core/base";
import { createCallQueue } from "./call-queue.ts";
import { withinCall } from "./call.ts";
import type { Queries } from "./queries.ts";
import { createListConnection } from "./list-connection.ts";
import { openClient } from "./postgres-client.ts";
import type { SessionDatabase } from "./session-settings.ts";
import { codeOf, mapStoreError } from "./store-error.ts";

export interface ListDatabaseOptions {
  readonly url: string;
  /** Default: the service's own database. */
  readonly database?: SessionDatabase;
  /** Connections. Default 6. */
  readonly max?: number;
  /** Per list, including the wait for a connection. Default 3,000. */
  readonly deadlineMs?: number;
  /** Shown in pg_stat_activity. Default `reports-lists`. */
  readonly applicationName?: string;
  /** Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Errors of a read that takes too long. Default: the list's. */
  readonly timeoutErrors?: ReadTimeoutErrors;
}

/** The errors of a timeoutErrors read, in seconds: while it ran, or before it had a connection. */
export interface ReadTimeoutErrors {
  tooSlow(seconds: number): DomainError;
  waitedTooLong(seconds: number): DomainError;
}

/** Separate, because only lists have unlimited cost. A list ends in Postgres too, at its deadline or without a caller. */
export interface ListDatabase {
  /**
   * Runs reading statements. Rejects with the error of `timeoutErrors` (DomainError("unavailable", "list-too-slow")) after its time, the signal's reason, and
   * StoreUnavailableError if Postgres is unreachable or does not answer a cancel.
   */
  read<T>(work: (queries: Queries) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Waits up to five seconds for running statements, then closes every connection. */
  close(): Promise<void>;
}

/** Each connection opens at its first list. */
export function createListDatabase(options: ListDatabaseOptions): ListDatabase {
  const { url, database = "service", max = 6, deadlineMs = 3_000 } = options;
  const { applicationName = "reports-lists", timeoutErrors = listTimeoutErrors } = options;
  const connections = Array.from({ length: max }, () =>
    createListConnection(() =>
      openClient({
        url,
        database,
        max: 1,
        applicationName,
        connectTimeoutMs: options.connectTimeoutMs,
        statementTimeoutMs: deadlineMs,
        // The best index depends on how many rows the filters' values leave.
        plansByValue: true,
        // A parallel list would take processors from other statements.
        singleProcess: true,
      }),
    ),
  );
  // The one used last is open and has prepared statements.
  const free = [...connections];
  const permits = createCallQueue({ atOnce: max, waiting: 1_000 });

  async function read<T>(work: (queries: Queries) => Promise<T>, deadline: ReadDeadline): Promise<T> {
    const connection = free.pop()!;
    deadline.markStarted();
    try {
      return await connection.run(work, deadline.signal);
    } catch (error) {
      deadline.signal.throwIfAborted();
      // The server's own limit is as long.
      throw codeOf(error) === "57014" ? timeoutErrors.tooSlow(deadlineMs / 1000) : error;
    } finally {
      free.push(connection);
    }
  }

  return {
    async read(work, signal) {
      using deadline = startDeadline(deadlineMs, signal, timeoutErrors);
      try {
        // One second more for the cancel: its answer distinguishes a slow list from an unavailable server.
        return await withinCall(deadlineMs + 1_000, async () =>
          permits.run("call", async () => read(work, deadline), deadline.signal),
        );
      } catch (error) {
        throw mapStoreError(error);
      }
    },
    close: async () => void (await Promise.all(connections.map(async (connection) => connection.close()))),
  };
}

interface ReadDeadline extends Disposable {
  readonly signal: AbortSignal;
  /** It has a connection. */
  markStarted(): void;
}

function startDeadline(deadlineMs: number, caller: AbortSignal, timeoutErrors: ReadTimeoutErrors): ReadDeadline {
  const deadline = new AbortController();
  let reason = () => timeoutErrors.waitedTooLong(deadlineMs / 1000);
  const onCallerAbort = (): void => deadline.abort(caller.reason);
  const timer = setTimeout(() => deadline.abort(reason()), deadlineMs);
  if (caller.aborted) onCallerAbort();
  else caller.addEventListener("abort", onCallerAbort, { once: true });
  return {
    signal: deadline.signal,
    markStarted: () => void (reason = () => timeoutErrors.tooSlow(deadlineMs / 1000)),
    [Symbol.dispose]() {
      clearTimeout(timer);
      caller.removeEventListener("abort", onCallerAbort);
    },
  };
}

const listTimeoutErrors: ReadTimeoutErrors = {
  tooSlow: (seconds) =>
    listTooSlow(
      `The list took longer than ${seconds} s and was stopped. Add a filter, sort by fewer fields or by the default, or leave out count.`,
    ),
  waitedTooLong: (seconds) => listTooSlow(`The list waited ${seconds} s for a database connection. Try again shortly.`),
};

function listTooSlow(message: string): DomainError {
  return new DomainError("unavailable", "list-too-slow", message, { retryAfterSeconds: 2 });
}
