import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { Pool, type ClientBase } from "pg";
import { setTimeout as delay } from "node:timers/promises";
import type postgres from "postgres";
import { StoreUnavailableError } from "@reports/core/base";
import { queueObjectsSql } from "../queue/queue-objects.ts";
import { defaultQueueSchema, laneSchemaNames } from "../queue/queue-schema.ts";
import { separateTlsOptions } from "../database/url-and-tls-options.ts";
import { buildSessionSetupSql } from "../database/session-settings.ts";
import { withSingleConnection } from "../database/single-connection.ts";
import { buildPendingIndexes } from "./build-pending-indexes.ts";
import { migrationsFolder, assertDatabaseSuitable } from "./database-version.ts";
import { buildTextIndexes, addTrigramSchemaToSearchPath } from "./text-indexes.ts";
import { defaultLockWaitMs, tableLockTimeoutMs, retryOnLockTimeout } from "./retry-on-lock-timeout.ts";

/** ID of the advisory lock by which only one migration runs at a time. All versions must use the same ID. */
const migrationLock = 7_217_311_805;

export interface MigrateOptions {
  readonly databaseUrl: string;
  readonly queueSchema?: string;
  /** Whether to move the queue to `queueSchema` if it is in another schema. If false, the migration rejects with QueueSchemaMismatchError. */
  readonly moveQueue?: boolean;
  /** Longest wait in ms for another migration to end, and afterwards for each group of locks. Default 300,000. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

/**
 * Migrates a database to this version: the service's tables, graphile-worker's tables in the schema of each lane, and the functions that connect
 * the two. It is safe to run again, or on several machines at the same time: one of them migrates while the others wait. Each lock is awaited only
 * briefly and then requested again, so that a running service is not blocked. Rejects with StoreUnavailableError if Postgres is unreachable or a
 * lock is not granted in time, and with RangeError if the schema's name would need quotes. Rejects with NewerDatabaseError or
 * QueueSchemaMismatchError, and then has changed nothing.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const { databaseUrl, signal, onProgress, queueSchema = defaultQueueSchema } = options;
  const lanes = laneSchemaNames(queueSchema);
  signal?.throwIfAborted();
  // graphile-worker is imported here, because processes that only check the version do not need it.
  const { Logger, runMigrations } = await import("graphile-worker");
  signal?.throwIfAborted();
  const { waitMs = defaultLockWaitMs } = options;
  const lockTimeout = String(tableLockTimeoutMs);
  const hooks = {
    // The pool awaits this hook, although its types don't say so. The settings therefore apply before the first query.
    onConnect: async (connection: ClientBase): Promise<void> => {
      await connection.query(buildSessionSetupSql({ settings: { lock_timeout: lockTimeout } }));
    },
  };
  const { url, ssl } = separateTlsOptions(databaseUrl);
  await withSingleConnection({ databaseUrl, applicationName: "reports-migrate", signal }, async (client) => {
    onProgress?.("Waiting for the migration lock.");
    await takeMigrationLock(client, waitMs, signal);
    await assertDatabaseSuitable(client, options.moveQueue === true ? null : queueSchema);
    const wait = { waitMs, signal, onWait: onProgress, subject: () => "the tables to change" };
    // A lock_timeout of 0 would mean no limit.
    const patient = String(Math.max(1, waitMs));
    const withLockTimeout = async <T>(timeout: string, work: () => Promise<T>): Promise<T> => {
      await client`select set_config('lock_timeout', ${timeout}, false)`;
      return retryOnLockTimeout(wait, work);
    };
    await addTrigramSchemaToSearchPath(client);
    await withLockTimeout(patient, async () => buildPendingIndexes(client));
    await withLockTimeout(lockTimeout, async () => {
      await migrate(drizzle(client), { migrationsFolder });
      // graphile-worker needs a connection of its own, because this client's only connection holds the advisory lock.
      const pgPool = new Pool({ connectionString: url, ssl, max: 1, ...hooks });
      pgPool.on("error", () => undefined);
      pgPool.on("connect", (connection) => void connection.on("error", () => undefined));
      const graphile = { pgPool, logger: new Logger(() => () => {}) };
      try {
        for (const schema of lanes) await runMigrations({ ...graphile, schema });
      } finally {
        await pgPool.end();
      }
      await client.begin(async (transaction) => transaction.unsafe(queueObjectsSql(queueSchema)));
    });
    const problem = await withLockTimeout(patient, async () => buildTextIndexes(client));
    if (problem !== null) onProgress?.(problem);
  });
}

/** Requests the lock repeatedly. A session that waits for it would have a snapshot, which the other migration's index builds wait for. */
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
