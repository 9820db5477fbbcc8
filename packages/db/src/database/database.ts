import { StoreUnavailableError } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { checkedName, queueSchemaSetting } from "../queue/queue-schema.ts";
import { createCallQueue } from "./call-queue.ts";
import { withinCall, type Call } from "./call.ts";
import { runGuarded, type HasHappened } from "./guarded-transaction.ts";
import { openClient } from "./postgres-client.ts";
import type { Queries } from "./queries.ts";
import type { SessionDatabase } from "./session-settings.ts";
import { createStandbyWait } from "./standby-wait.ts";
import { mapStoreError } from "./store-error.ts";

export interface DatabaseOptions {
  readonly url: string;
  /** Default: the service's own database. */
  readonly database?: SessionDatabase;
  /** Most connections at once. Default 10. */
  readonly max?: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName?: string;
  /** Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long one call may take, waiting for a connection included. Default 10,000. */
  readonly deadlineMs?: number;
  /** How long a caller waits after the deadline for the answer to a COMMIT. Default 60,000. Tests make it shorter. */
  readonly fateMs?: number;
  /** How many calls may wait for a connection; further ones are refused at once. Default 1,000. */
  readonly maxWaiting?: number;
  /** `QUEUE_SCHEMA` of this process: reports are not enqueued if the database's queue is in another schema. */
  readonly queueSchema?: string;
  /** Further settings of its sessions; names and values of ours alone. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A pool of connections, of which every call has a deadline. Calls reject with StoreUnavailableError when Postgres
 * cannot be reached, refuses or does not answer in time, and when too many calls wait already; with other errors as the driver gives them.
 */
export interface Database {
  /** Runs queries that need no transaction. What they write may be written although the call was refused: Postgres may do it later. */
  query<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Commits when the work resolves and rolls back when it rejects. What was refused with StoreUnavailableError is not committed later. One
   * case needs the caller's help: the connection is lost after COMMIT was sent and before it was answered. `hasHappened` is asked then,
   * over another connection, until it is certain; without it the call is refused although the transaction may have taken place. Rejects with
   * OutcomeUnknownError while a synchronous standby holds the COMMIT up at the deadline, and where Postgres has not answered a minute after it.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, hasHappened?: HasHappened): Promise<T>;
  /** Calls that hold a connection or wait for one, and how many of those wait. */
  load(): { readonly open: number; readonly waiting: number };
  /**
   * Resolves when the service can work in a session of this pool, and the database is not read-only; for readiness. It reads a row, and
   * compares how Postgres writes a time. It writes nothing: see write-probe.ts.
   */
  check(): Promise<void>;
  /** Lets running calls finish for at most five seconds, then closes every connection. */
  close(): Promise<void>;
}

/** A time as the service's sessions have it written. */
const aTime = "2001-02-03 04:05:06+00";

/** Opens a pool. Connects at the first call. */
export function createDatabase(options: DatabaseOptions): Database {
  const deadlineMs = options.deadlineMs ?? 10_000;
  const max = options.max ?? 10;
  const client = openClient({
    url: options.url,
    database: options.database ?? "service",
    max,
    applicationName: options.applicationName ?? "reports",
    connectTimeoutMs: options.connectTimeoutMs,
    // The server gives up first, so that no abandoned statement holds locks.
    statementTimeoutMs: deadlineMs,
    settings: {
      ...options.settings,
      ...(options.queueSchema === undefined ? {} : { [queueSchemaSetting]: checkedName(options.queueSchema) }),
    },
  });
  const queries = drizzle(client);

  const turns = createCallQueue({ atOnce: max, waiting: options.maxWaiting ?? 1_000 });
  const isHeld = createStandbyWait(options.url, deadlineMs / 2);
  /** Calls whose COMMIT waits for a synchronous standby although their callers have been answered. */
  const held = new Set<Call>();

  async function run<T>(work: (call: Call) => Promise<T>): Promise<T> {
    try {
      // Half a second more than the server has, so that its error comes first, which says more.
      return await withinCall(
        deadlineMs + 500,
        async (call) => {
          const runCall = async (): Promise<T> => {
            call.signal.addEventListener("abort", () => call.isHeldUp && held.add(call), { once: true });
            try {
              return await work(call);
            } finally {
              held.delete(call);
            }
          };
          return turns.run("call", runCall, call.signal);
        },
        isHeld,
        options.fateMs,
      );
    } catch (error) {
      throw mapStoreError(error);
    }
  }

  return {
    query: (work) => run(() => work(queries)),
    transaction: (work, hasHappened) =>
      run(async (call) => {
        // Its COMMIT would wait too, and hold one more connection.
        if (held.size > 0)
          throw new StoreUnavailableError("Postgres does not confirm transactions at the moment; try again later.");
        return runGuarded(queries, call, work, hasHappened, isHeld);
      }),
    check: () =>
      run(async () => {
        const [row] = await queries.execute<{ standby: boolean; time: string }>(
          sql`select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as standby, ${aTime}::timestamptz as time`,
        );
        if (row?.standby)
          throw new StoreUnavailableError(
            "Postgres accepts no writes: DATABASE_URL names a standby or a read-only server.",
          );
        if (row?.time !== aTime)
          throw new Error(`Postgres writes ${aTime} as ${row?.time}: a setting of the role or database is in force.`);
        await queries.execute(sql`select created_at from reports limit 1`);
      }),
    load: () => ({ open: turns.held.total + turns.waiting, waiting: turns.waiting }),
    close: () => client.end({ timeout: 5 }),
  };
}
