import { DomainError } from "@reports/core/base";
import { createDatabaseCallSemaphore } from "./database-call-semaphore.ts";
import { runDatabaseCall } from "./call.ts";
import type { Queries } from "./queries.ts";
import { createListConnection } from "./list-connection.ts";
import { createPostgresPool } from "./postgres-client.ts";
import type { DatabaseKind } from "./session-settings.ts";
import { firstErrorCodeOf, mapDatabaseError } from "./store-error.ts";

export interface ListConnectionPoolOptions {
  readonly url: string;
  readonly database?: DatabaseKind;
  readonly max?: number;
  /** Limit per list in ms, including the wait for a connection. Default 3,000. */
  readonly deadlineMs?: number;
  readonly applicationName?: string;
  readonly connectTimeoutMs?: number;
  /** How long in ms Postgres may take, after the deadline, to respond to a cancel. Default 1,000. */
  readonly cancelTimeoutMs?: number;
  readonly timeoutErrors?: ReadTimeoutErrorFactory;
}

export interface ReadTimeoutErrorFactory {
  tooSlow(seconds: number): DomainError;
  waitedTooLong(seconds: number): DomainError;
}

/** Connections for lists only, because their cost is unlimited. Postgres cancels a list at its deadline, or when its caller leaves. */
export interface ListConnectionPool {
  /**
   * Runs statements that only read. At the deadline, rejects with an error of `timeoutErrors`, by default DomainError("unavailable",
   * "list-too-slow"). If the signal aborts, rejects with the signal's reason. Rejects with StoreUnavailableError if Postgres is unreachable
   * or does not respond to a cancel.
   */
  read<T>(work: (queries: Queries) => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

export function createListConnectionPool(options: ListConnectionPoolOptions): ListConnectionPool {
  const { url, database = "service", max = 6, deadlineMs = 3_000, cancelTimeoutMs = 1_000 } = options;
  const { applicationName = "reports-lists", timeoutErrors = listTimeoutErrors } = options;
  const connections = Array.from({ length: max }, () =>
    createListConnection(
      () =>
        createPostgresPool({
          url,
          database,
          max: 1,
          applicationName,
          connectTimeoutMs: options.connectTimeoutMs,
          statementTimeoutMs: deadlineMs,
          // The best index depends on how many rows match the values of the filters. So Postgres plans each list for its values.
          plansByValue: true,
          // A parallel query would take processors from the service's other statements.
          singleProcess: true,
        }),
      cancelTimeoutMs,
    ),
  );
  // The connection that was used last is reused first, because it is open and has prepared statements.
  const free = [...connections];
  const permits = createDatabaseCallSemaphore({ atOnce: max, waiting: 1_000 });

  async function read<T>(work: (queries: Queries) => Promise<T>, deadline: ReadDeadline): Promise<T> {
    const connection = free.pop()!;
    deadline.markStarted();
    try {
      return await connection.run(work, deadline.signal);
    } catch (error) {
      deadline.signal.throwIfAborted();
      // Postgres's statement timeout equals the deadline and may end the statement first. The caller gets the same error in both cases.
      throw firstErrorCodeOf(error) === "57014" ? timeoutErrors.tooSlow(deadlineMs / 1000) : error;
    } finally {
      free.push(connection);
    }
  }

  return {
    async read(work, signal) {
      using deadline = startDeadline(deadlineMs, signal, timeoutErrors);
      try {
        // Waits for the response to the cancel. If there is none, Postgres is unavailable and the list was not just slow.
        return await runDatabaseCall(deadlineMs + cancelTimeoutMs, async () =>
          permits.run("call", async () => read(work, deadline), deadline.signal),
        );
      } catch (error) {
        throw mapDatabaseError(error);
      }
    },
    close: async () => void (await Promise.all(connections.map(async (connection) => connection.close()))),
  };
}

interface ReadDeadline extends Disposable {
  readonly signal: AbortSignal;
  markStarted(): void;
}

function startDeadline(deadlineMs: number, caller: AbortSignal, timeoutErrors: ReadTimeoutErrorFactory): ReadDeadline {
  const deadline = new AbortController();
  let reason = () => timeoutErrors.waitedTooLong(deadlineMs / 1000);
  const timer = setTimeout(() => deadline.abort(reason()), deadlineMs);
  return {
    signal: AbortSignal.any([caller, deadline.signal]),
    markStarted: () => void (reason = () => timeoutErrors.tooSlow(deadlineMs / 1000)),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

export function createReadTimeoutErrors(noun: "list" | "preview", advice: string): ReadTimeoutErrorFactory {
  const createError = (message: string): DomainError =>
    new DomainError("unavailable", `${noun}-too-slow`, message, { retryAfterSeconds: 2 });
  return {
    tooSlow: (seconds) => createError(`The ${noun} took longer than ${seconds} s and was stopped. ${advice}`),
    waitedTooLong: (seconds) =>
      createError(`The ${noun} waited ${seconds} s for a database connection. Try again shortly.`),
  };
}

const listTimeoutErrors = createReadTimeoutErrors(
  "list",
  "Add a filter, sort by fewer fields or by the default, or leave out count.",
);
