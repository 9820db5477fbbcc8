import { StoreUnavailableError } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { requireQueueSchemaName, queueSchemaSetting } from "../queue/queue-schema.ts";
import { createDatabaseCallSemaphore } from "./database-call-semaphore.ts";
import { runDatabaseCall, type DatabaseCall } from "./call.ts";
import { runGuardedTransaction, type CommitCheck } from "./guarded-transaction.ts";
import { createPostgresPool } from "./postgres-client.ts";
import type { Queries } from "./queries.ts";
import type { DatabaseKind } from "./session-settings.ts";
import { createStandbyDelayCheck } from "./standby-wait.ts";
import { mapDatabaseError } from "./store-error.ts";

export interface DatabaseOptions {
  readonly url: string;
  readonly database?: DatabaseKind;
  readonly max?: number;
  readonly applicationName?: string;
  readonly connectTimeoutMs?: number;
  /** Limit per call in ms, including the wait for a connection. Default 10,000. */
  readonly deadlineMs?: number;
  /** How long in ms a caller waits, after the deadline, for the result of a COMMIT that was sent before it. Default 60,000. */
  readonly commitWaitMs?: number;
  /** How many calls may wait for a connection. Additional calls reject immediately with StoreUnavailableError. Default 1,000. */
  readonly maxWaiting?: number;
  /** `QUEUE_SCHEMA` of this process. Postgres refuses to enqueue reports if the database's queue is in another schema. */
  readonly queueSchema?: string;
  /** Additional session settings, by name. They are written into SQL without escaping: never pass input. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A pool with a deadline per call. Calls reject with StoreUnavailableError if Postgres is unreachable or late, or if too many calls wait. */
export interface Database {
  /** Runs queries without a transaction. After a rejection, statements that were already sent can still take effect. */
  query<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in a transaction. Commits when `work` resolves, and rolls back when it rejects. After StoreUnavailableError, the
   * transaction never commits later. If the connection is lost between COMMIT and its result, `hasHappened` is called over another
   * connection until the outcome is certain. Without `hasHappened`, the call then rejects although the transaction may have committed.
   * Rejects with CommitOutcomeUnknownError if a synchronous standby delays the COMMIT beyond the deadline, or if there is no result a minute
   * after it.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, hasHappened?: CommitCheck): Promise<T>;
  load(): { readonly open: number; readonly waiting: number };
  /** Resolves if this pool's sessions have the service's settings and Postgres is not read-only. Only write-probe.ts checks that a write succeeds. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A time in the text form that Postgres uses with the service's values of DateStyle and TimeZone. */
const sampleTime = "2001-02-03 04:05:06+00";

export function createDatabase(options: DatabaseOptions): Database {
  const deadlineMs = options.deadlineMs ?? 10_000;
  const max = options.max ?? 10;
  const client = createPostgresPool({
    url: options.url,
    database: options.database ?? "service",
    max,
    applicationName: options.applicationName ?? "reports",
    connectTimeoutMs: options.connectTimeoutMs,
    // Postgres cancels the statement itself at the deadline, so that a statement without a caller holds no locks.
    statementTimeoutMs: deadlineMs,
    settings: {
      ...options.settings,
      ...(options.queueSchema === undefined
        ? {}
        : { [queueSchemaSetting]: requireQueueSchemaName(options.queueSchema) }),
    },
  });
  const queries = drizzle(client);

  const permits = createDatabaseCallSemaphore({ atOnce: max, waiting: options.maxWaiting ?? 1_000 });
  const isStandbyDelaying = createStandbyDelayCheck(options.url, deadlineMs / 2);
  /** Calls whose COMMIT still waits for a synchronous standby after they have rejected. Each of them occupies a connection. */
  const delayedCalls = new Set<DatabaseCall>();

  async function run<T>(work: (call: DatabaseCall) => Promise<T>): Promise<T> {
    try {
      // The client waits 500 ms longer than Postgres, because Postgres's own error says more than a client's timeout.
      return await runDatabaseCall(
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
      throw mapDatabaseError(error);
    }
  }

  return {
    query: (work) => run(() => work(queries)),
    transaction: (work, hasHappened) =>
      run(async (call) => {
        // If a standby delays earlier COMMITs, the COMMIT of this transaction would wait too, and would occupy another connection.
        if (delayedCalls.size > 0)
          throw new StoreUnavailableError("Postgres does not confirm transactions at the moment; try again later.");
        return runGuardedTransaction(queries, call, work, hasHappened, isStandbyDelaying);
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
