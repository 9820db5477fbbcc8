import { DomainError } from "@reports/core/base";
import { createCallQueue } from "./call-queue.ts";
import { runWithDeadline } from "./call.ts";
import type { Queries } from "./queries.ts";
import { createListConnection } from "./list-connection.ts";
import { openClient } from "./postgres-client.ts";
import type { SessionDatabase } from "./session-settings.ts";
import { codeOf, mapStoreError } from "./store-error.ts";

export interface ListDatabaseOptions {
  readonly url: string;
  /** Default: `service`, the service's own database. */
  readonly database?: SessionDatabase;
  /** Maximum number of connections. Default 6. */
  readonly max?: number;
  /** Milliseconds per list, including the wait for a connection. Default 3,000. */
  readonly deadlineMs?: number;
  /** Default `reports-lists`. */
  readonly applicationName?: string;
  /** Milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds that Postgres has to respond to a cancel after the deadline. Default 1,000. */
  readonly cancelTimeoutMs?: number;
  /** Creates the errors of reads that take too long. Default: those of lists. */
  readonly timeoutErrors?: ReadTimeoutErrors;
}

/** Creates the errors of a read after so many seconds: `tooSlow` while it ran, `waitedTooLong` before it had a connection. */
export interface ReadTimeoutErrors {
  tooSlow(seconds: number): DomainError;
  waitedTooLong(seconds: number): DomainError;
}

/** Connections for lists only, because no other statement has unlimited cost. Postgres cancels a list at its deadline, or when its caller leaves. */
export interface ListDatabase {
  /**
   * Runs statements that read. Rejects after the deadline with an error of `timeoutErrors`, by default DomainError("unavailable",
   * "list-too-slow"). Rejects with the signal's reason if the signal aborts, and with StoreUnavailableError if Postgres is unreachable or
   * does not respond to a cancel.
   */
  read<T>(work: (queries: Queries) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Waits up to five seconds for running statements, then closes every connection. */
  close(): Promise<void>;
}

/** Creates the connections. Each one opens at its first list. */
export function createListDatabase(options: ListDatabaseOptions): ListDatabase {
  const { url, database = "service", max = 6, deadlineMs = 3_000, cancelTimeoutMs = 1_000 } = options;
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
        // The best index depends on how many rows match the values of the filters.
        plansByValue: true,
        // A parallel query would take processors from other statements.
        singleProcess: true,
      }),
    ),
  );
  // A stack: the connection that was used last is open and has prepared statements.
  const free = [...connections];
  const permits = createCallQueue({ atOnce: max, waiting: 1_000 });

  async function read<T>(work: (queries: Queries) => Promise<T>, deadline: ReadDeadline): Promise<T> {
    const connection = free.pop()!;
    deadline.markStarted();
    try {
      return await connection.run(work, deadline.signal);
    } catch (error) {
      deadline.signal.throwIfAborted();
      // The server's statement timeout is as long as the deadline and may come first.
      throw codeOf(error) === "57014" ? timeoutErrors.tooSlow(deadlineMs / 1000) : error;
    } finally {
      free.push(connection);
    }
  }

  return {
    async read(work, signal) {
      using deadline = startDeadline(deadlineMs, signal, timeoutErrors);
      try {
        // The response to the cancel distinguishes a slow list from an unavailable server.
        return await runWithDeadline(deadlineMs + cancelTimeoutMs, async () =>
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
  /** Records that the read has got a connection. */
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
