import { setTimeout as wait } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Queries } from "./queries.ts";

/** How long to wait for the end of a cancel. Later it is unknown whether the cancel is still on its way. */
const cancelTimeoutMs = 1_000;
/** Pause before another cancel. Postgres ignores a cancel that arrives between two messages of a statement. */
const cancelRetryMs = 50;

export interface ListConnection {
  /** Runs work and cancels its statements when the signal aborts. Settles after the last cancel has ended, so that it can't hit the next work. */
  run<T>(work: (queries: Queries) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Closes the connection. A running statement may finish within five seconds. */
  close(): Promise<void>;
}

/** The part of a postgres.js query that cancelling needs. `active` is true while the server works on the query. */
interface SentStatement {
  readonly active: boolean;
  /** Sends a cancel; called once by postgres.js's own `cancel()`. Resolves when the server has closed the cancelling connection. Rejects if that connection was lost. */
  canceller(statement: SentStatement): Promise<void>;
}

interface Session {
  readonly client: Sql;
  readonly queries: Queries;
  /** The signal of the work in progress, and the latest statement sent. */
  signal: AbortSignal | null;
  latest: SentStatement | null;
}

/** Creates a connection, as a postgres.js pool of one. It connects at the first statement. It reconnects if a late cancel or response might still reach the old connection. */
export function createListConnection(openClient: () => Sql): ListConnection {
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
          // Late messages reach only the old backend, which serves no further work.
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

/** Opens a session. It notes every statement that drizzle sends, all of which go through `unsafe`. */
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
