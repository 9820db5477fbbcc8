import { StoreUnavailableError } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { checkSchemaName, queueSchemaSetting } from "../queue/queue-schema.ts";
import { createCallQueue } from "./call-queue.ts";
import { runWithDeadline, type Call } from "./call.ts";
import { runGuarded, type TransactionCheck } from "./guarded-transaction.ts";
import { openClient } from "./postgres-client.ts";
import type { Queries } from "./queries.ts";
import type { SessionDatabase } from "./session-settings.ts";
import { createStandbyWait } from "./standby-wait.ts";
import { mapStoreError } from "./store-error.ts";

export interface DatabaseOptions {
  readonly url: string;
  /** Default: `service`, the service's own database. */
  readonly database?: SessionDatabase;
  /** Default 10. */
  readonly max?: number;
  readonly applicationName?: string;
  /** Milliseconds. Default 5,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds per call, including the wait for a connection. Default 10,000. */
  readonly deadlineMs?: number;
  /** How long in ms a caller waits beyond the deadline for the result of a COMMIT. Default 60,000. */
  readonly commitWaitMs?: number;
  /** How many calls may wait for a connection. Further calls are refused immediately. Default 1,000. */
  readonly maxWaiting?: number;
  /** `QUEUE_SCHEMA` of this process. Postgres refuses to enqueue reports if the database's queue is in another schema. */
  readonly queueSchema?: string;
  /** Additional session settings. They are written into SQL unescaped, so that they must never come from input. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A pool with a deadline per call. Calls reject with StoreUnavailableError if Postgres is unreachable, refuses or is late, or too many calls wait. */
export interface Database {
  /** Runs queries without a transaction. The writes of a call that rejected may still happen later. */
  query<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Runs work in a transaction: commits when the work resolves, rolls back when it rejects. After StoreUnavailableError it does not commit
   * later. If the connection is lost between COMMIT and its result, `hasHappened` is called over another connection until the result is
   * certain. Without `hasHappened` the call rejects, although the transaction may have happened. Rejects with OutcomeUnknownError if a
   * synchronous standby delays the COMMIT beyond the deadline, or if there is no result after a minute.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, hasHappened?: TransactionCheck): Promise<T>;
  /** Returns the number of calls that hold or await a connection (`open`), and of those that await one (`waiting`). */
  load(): { readonly open: number; readonly waiting: number };
  /** Resolves if sessions have the service's settings and Postgres is not read-only, for readiness. write-probe.ts checks that writes succeed. */
  check(): Promise<void>;
  /** Waits up to five seconds for running calls, then closes every connection. */
  close(): Promise<void>;
}

/** A time as Postgres writes it if DateStyle and TimeZone have the service's values. */
const sampleTime = "2001-02-03 04:05:06+00";

export function createDatabase(options: DatabaseOptions): Database {
  const deadlineMs = options.deadlineMs ?? 10_000;
  const max = options.max ?? 10;
  const client = openClient({
    url: options.url,
    database: options.database ?? "service",
    max,
    applicationName: options.applicationName ?? "reports",
    connectTimeoutMs: options.connectTimeoutMs,
    // Postgres cancels a statement at the deadline, before the client gives up. So no abandoned statement holds locks.
    statementTimeoutMs: deadlineMs,
    settings: {
      ...options.settings,
      ...(options.queueSchema === undefined ? {} : { [queueSchemaSetting]: checkSchemaName(options.queueSchema) }),
    },
  });
  const queries = drizzle(client);

  const permits = createCallQueue({ atOnce: max, waiting: options.maxWaiting ?? 1_000 });
  const isStandbyDelaying = createStandbyWait(options.url, deadlineMs / 2);
  /** Calls whose COMMIT waits for a synchronous standby although their callers already have an error. */
  const delayedCalls = new Set<Call>();

  async function run<T>(work: (call: Call) => Promise<T>): Promise<T> {
    try {
      // The client waits half a second longer than the server, because the server's error says more.
      return await runWithDeadline(
        deadlineMs + 500,
        async (call) => {
          const runCall = async (): Promise<T> => {
            call.signal.addEventListener("abort", () => call.isDelayedByStandby && delayedCalls.add(call), {
              once: true,
            });
            try {
              return await work(call);
            } finally {
              delayedCalls.delete(call);
            }
          };
          return permits.run("call", runCall, call.signal);
        },
        isStandbyDelaying,
        options.commitWaitMs,
      );
    } catch (error) {
      throw mapStoreError(error);
    }
  }

  return {
    query: (work) => run(() => work(queries)),
    transaction: (work, hasHappened) =>
      run(async (call) => {
        // The COMMIT of this transaction would be delayed, too, and would occupy one more connection.
        if (delayedCalls.size > 0)
          throw new StoreUnavailableError("Postgres does not confirm transactions at the moment; try again later.");
        return runGuarded(queries, call, work, hasHappened, isStandbyDelaying);
      }),
    check: () =>
      run(async () => {
        const [row] = await queries.execute<{ standby: boolean; time: string }>(
          sql`select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as standby, ${sampleTime}::timestamptz as time`,
        );
        if (row?.standby)
          throw new StoreUnavailableError(
            "Postgres accepts no writes: DATABASE_URL names a standby or a read-only server.",
          );
        if (row?.time !== sampleTime)
          throw new Error(
            `Postgres writes ${sampleTime} as ${row?.time}: a setting of the role or database is in force.`,
          );
        await queries.execute(sql`select created_at from reports limit 1`);
      }),
    load: () => ({ open: permits.held.total + permits.waiting, waiting: permits.waiting }),
    close: () => client.end({ timeout: 5 }),
  };
}
