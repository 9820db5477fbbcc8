import { setTimeout as wait } from "node:timers/promises";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type { Queries } from "./queries.ts";

/** After this it is not known whether a cancel is still on its way to the server. */
const cancelPatienceMs = 1_000;
/** Postgres ignores a cancel that comes between two messages of a statement. */
const cancelAgainMs = 50;

/** One connection, for one piece of work at a time. */
export interface ListConnection {
  /**
   * Runs work, whose statements are cancelled when the signal aborts; none is sent afterwards. Settles only when nothing of the work is left
   * on the connection, the cancel included: what comes next cannot be hit by it.
   */
  run<T>(work: (queries: Queries) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Lets a statement finish for at most five seconds. */
  close(): Promise<void>;
}

/** The part of the driver's query that tells whether the server works on it, and stops it. */
interface SentStatement {
  /** From when it is sent until it has ended. */
  readonly active: boolean;
  /**
   * What `cancel()` calls, which does so once only and does not say when it is done. Resolves once the server has closed the connection that
   * asked it; rejects when that was lost.
   */
  canceller(statement: SentStatement): Promise<void>;
}

interface Session {
  readonly client: Sql;
  readonly queries: Queries;
  /** What the statements belong to, and the latest of them. */
  signal: AbortSignal | null;
  latest: SentStatement | null;
}

/** Makes a connection as a pool of one, which is reopened when a late cancel or response might still reach it. Connects at the first statement. */
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
        if (!(await Promise.race([isDone, wait(cancelPatienceMs, false, { ref: false })]))) {
          // Whatever comes late finds this backend only, which serves nobody any more.
          session = openSession(openClient());
          await client.end({ timeout: 0 });
          return;
        }
      }
      if (!work.isOver) await Promise.race([work.over, wait(cancelAgainMs, undefined, { ref: false })]);
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

/** All that drizzle sends goes through `unsafe`. */
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
