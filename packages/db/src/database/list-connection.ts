import { setTimeout as wait } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Queries } from "./queries.ts";

/** Pause between two cancels of one statement. Postgres ignores a cancel that arrives between two messages of a statement. */
const cancelRetryMs = 50;

export interface ListConnection {
  /** Runs `work` and cancels its statements when the signal aborts. Waits for the end of the last cancel, which could hit the next work. */
  run<T>(work: (queries: Queries) => Promise<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

interface SentStatement {
  readonly active: boolean;
  /**
   * Sends a cancel on a separate connection. Resolves when Postgres has closed that connection, and rejects if it was lost. postgres.js's
   * `cancel()` calls this function once.
   */
  canceller(statement: SentStatement): Promise<void>;
}

interface Session {
  readonly client: Sql;
  readonly queries: Queries;
  signal: AbortSignal | null;
  latest: SentStatement | null;
}

/**
 * Creates a connection that opens at its first statement. If a cancel could still arrive late, the next work gets a new connection.
 * @param cancelTimeoutMs how long in ms Postgres may take to close the connection over which a cancel was sent. While that is open, the cancel could
 * still hit a later statement.
 */
export function createListConnection(openClient: () => Sql, cancelTimeoutMs = 1_000): ListConnection {
  let session = openSession(openClient());

  async function cancelUntilOver(work: { isOver: boolean; readonly over: Promise<void> }): Promise<void> {
    const { client } = session;
    while (!work.isOver) {
      const statement = session.latest;
      if (statement?.active === true) {
        const isDone = statement.canceller(statement).then(
          () => true,
          () => false,
        );
        if (!(await Promise.race([isDone, wait(cancelTimeoutMs, false, { ref: false })]))) {
          // Opens a new session. A late cancel or response can only reach the old backend, which runs nothing anymore.
          session = openSession(openClient());
          await client.end({ timeout: 0 });
          return;
        }
      }
      if (!work.isOver) await Promise.race([work.over, wait(cancelRetryMs, undefined, { ref: false })]);
    }
  }

  return {
    async run(work, signal) {
      signal.throwIfAborted();
      session.signal = signal;
      session.latest = null;
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const running = { isOver: false, over };
      let cancelling: Promise<void> | undefined;
      const cancel = (): void => void (cancelling = cancelUntilOver(running));
      signal.addEventListener("abort", cancel, { once: true });
      try {
        return await work(session.queries);
      } finally {
        signal.removeEventListener("abort", cancel);
        running.isOver = true;
        resolve();
        await cancelling;
      }
    },
    close: () => session.client.end({ timeout: 5 }),
  };
}

/** Opens a session that remembers the latest statement, so that it can be cancelled. drizzle sends every statement with `unsafe`. */
function openSession(client: Sql): Session {
  const send = client.unsafe;
  const session: Session = { client, queries: drizzle(client), signal: null, latest: null };
  client.unsafe = ((...parameters: Parameters<typeof send>) => {
    session.signal?.throwIfAborted();
    const query = send(...parameters);
    session.latest = query as unknown as SentStatement;
    return query;
  }) as typeof send;
  return session;
}
