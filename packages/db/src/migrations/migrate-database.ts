import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { Pool, type ClientBase } from "pg";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { StoreUnavailableError } from "@reports/core/base";
import { queueObjects } from "../queue/queue-objects.ts";
import { defaultQueueSchema, laneSchemas } from "../queue/queue-schema.ts";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { sessionStatement } from "../database/session-settings.ts";
import { mapStoreError } from "../database/store-error.ts";
import { buildIndexes } from "./build-indexes.ts";
import { migrationsFolder, refuseNewerDatabase } from "./database-version.ts";
import { buildTextIndexes, useSchemaOfTrigrams } from "./text-indexes.ts";
import { defaultLockWaitMs, lockTimeoutMs, retryLocks } from "./retry-locks.ts";

/** ID of the advisory lock of migrations. Any constant is fine, but it must never change. */
const migrationLock = 7_217_311_805;

export interface MigrateOptions {
  readonly databaseUrl: string;
  /** `QUEUE_SCHEMA` of the API and the worker. Default `defaultQueueSchema`. */
  readonly queueSchema?: string;
  /** Whether to move the queue to `queueSchema` if it is in another schema now. */
  readonly moveQueue?: boolean;
  /** Longest wait in ms for another running migration, and then again for locks of the running service. Default 300,000. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  /** Called with a sentence for the operator. */
  readonly onProgress?: (message: string) => void;
}

/**
 * Migrates a database to this version: the service's tables, then the tables of graphile-worker in the schema of each lane, then the
 * functions that connect the two. Running it again, or on several machines at the same time, is safe: one migrates and the others wait. It
 * waits for locks only briefly and tries again, so that it does not block a running service. Rejects with StoreUnavailableError if Postgres
 * is unreachable or a lock is not granted in time. Rejects with RangeError if the schema's name would need quotes. Rejects with
 * NewerDatabaseError or OtherQueueSchemaError, as refuseNewerDatabase does, and then changes nothing.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const { databaseUrl, signal, onProgress, queueSchema = defaultQueueSchema } = options;
  const lanes = laneSchemas(queueSchema);
  signal?.throwIfAborted();
  // Imported here, because processes that only check the version do not need it.
  const { Logger, runMigrations } = await import("graphile-worker");
  signal?.throwIfAborted();
  const { waitMs = defaultLockWaitMs } = options;
  const lockTimeout = String(lockTimeoutMs);
  const hooks = {
    // The pool awaits this hook, although its types don't say so.
    onConnect: async (connection: ClientBase): Promise<void> => {
      await connection.query(sessionStatement({ settings: { lock_timeout: lockTimeout } }));
    },
  };
  const { url, ssl } = readPostgresAddress(databaseUrl);
  const client = postgres(url, {
    ssl,
    max: 1,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: "reports-migrate" },
    session: sessionStatement(),
  });
  const abort = (): void => void client.end({ timeout: 0 });
  signal?.addEventListener("abort", abort, { once: true });
  try {
    onProgress?.("Waiting for the migration lock.");
    await takeMigrationLock(client, waitMs, signal);
    await refuseNewerDatabase(client, options.moveQueue === true ? null : queueSchema);
    const wait = { waitMs, signal, onWait: onProgress, subject: () => "the tables to change" };
    // At least 1, because 0 would mean no limit.
    const patient = String(Math.max(1, waitMs));
    const withLockTimeout = async <T>(timeout: string, work: () => Promise<T>): Promise<T> => {
      await client`select set_config('lock_timeout', ${timeout}, false)`;
      return retryLocks(wait, work);
    };
    await useSchemaOfTrigrams(client);
    await withLockTimeout(patient, async () => buildIndexes(client));
    await withLockTimeout(lockTimeout, async () => {
      await migrate(drizzle(client), { migrationsFolder });
      // The connection that holds the advisory lock can't be shared, so that graphile-worker gets another one.
      const pgPool = new Pool({ connectionString: url, ssl, max: 1, ...hooks });
      pgPool.on("error", () => undefined);
      pgPool.on("connect", (connection) => void connection.on("error", () => undefined));
      const graphile = { pgPool, logger: new Logger(() => () => {}) };
      try {
        for (const schema of lanes) await runMigrations({ ...graphile, schema });
      } finally {
        await pgPool.end();
      }
      await client.begin(async (transaction) => transaction.unsafe(queueObjects(queueSchema)));
    });
    const problem = await withLockTimeout(patient, async () => buildTextIndexes(client));
    if (problem !== null) onProgress?.(problem);
  } catch (error) {
    signal?.throwIfAborted();
    throw mapStoreError(error);
  } finally {
    signal?.removeEventListener("abort", abort);
    // The end of the session releases the advisory lock.
    await client.end({ timeout: 5 });
  }
}

/** Asks repeatedly, because a session that waits for the lock has a snapshot, and an index that is built without a lock waits for old snapshots. */
async function takeMigrationLock(client: postgres.Sql, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  const until = performance.now() + waitMs;
  for (;;) {
    const [row] = await client<{ held: boolean }[]>`select pg_try_advisory_lock(${migrationLock}::bigint) as held`;
    if (row!.held) return;
    if (performance.now() >= until)
      throw new StoreUnavailableError(
        `Another migration ran for ${Math.round(waitMs / 1_000)} s. Try again when it has ended.`,
      );
    await delay(200, undefined, { signal });
  }
}
