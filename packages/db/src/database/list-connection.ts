import { setTimeout as wait } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Queries } from "./queries.ts";

/** After this it is unknown whether a cancel is still on its way. */
const cancelTimeoutMs = 1_000;
/** Postgres ignores a cancel that arrives between two messages of a statement. */
const cancelRetryMs = 50;

export interface ListConnection {
  /**
   * Runs work whose statements are cancelled when the signal aborts. Settles only when nothing of it is left on the connection, the cancel
   * included, so that it cannot hit the next work.
   */
  run<T>(work: (queries: Queries) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Lets a statement finish for at most five seconds. */
  close(): Promise<void>;
}

/** The driver's query: whether the server works on it, and its cancel. */
interface SentStatement {
  readonly active: boolean;
  /** Called once by `cancel()`. Resolves when the server has closed the cancelling connection; rejects if it was lost. */
  canceller(statement: SentStatement): Promise<void>;
}

interface Session {
  readonly client: Sql;
  readonly queries: Queries;
  /** The statements' work, and the latest statement. */
  signal: AbortSignal | null;
  latest: SentStatement | null;
}

/** Makes a connection as a pool of one, reopened if a late cancel or response might still reach it. Connects at the first statement. */
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
          // Late messages find only this backend, which serves nobody any more.
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

/** drizzle sends everything through `unsafe`. */
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
