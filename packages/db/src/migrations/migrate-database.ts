import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { Pool, type ClientBase } from "pg";
import postgres from "postgres";
import { queueObjects } from "../queue/queue-objects.ts";
import { defaultQueueSchema, laneSchemas } from "../queue/queue-schema.ts";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { sessionStatement } from "../database/session-settings.ts";
import { mapStoreError } from "../database/store-error.ts";
import { migrationsFolder, refuseNewerDatabase } from "./database-version.ts";
import { defaultLockWaitMs, lockTimeoutMs, retryLocks } from "./retry-locks.ts";

/** Any constant that never changes. */
const migrationLock = 7_217_311_805;

export interface MigrateOptions {
  readonly databaseUrl: string;
  /** `QUEUE_SCHEMA` of the API and the worker. Default `defaultQueueSchema`. */
  readonly queueSchema?: string;
  /** Puts the queue into `queueSchema` even if it is in another schema now. */
  readonly moveQueue?: boolean;
  /** Longest wait for another running migration, and then again for locks of the running service. Default 300,000. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  /** Called with a sentence for a person. */
  readonly onProgress?: (message: string) => void;
}

/**
 * Brings a database to this version: our own tables, then graphile-worker's in the schemas of our lanes, then the functions that join
 * the two. Safe to repeat, and to run on several machines: one migrates, the others wait. Attempts to lock are short, so that a running
 * service is not held up. Rejects with StoreUnavailableError if Postgres cannot be reached or a lock is not granted in time, and with
 * RangeError for a schema's name that would need quotes. Changes nothing and rejects with NewerDatabaseError if the database is newer than
 * this program, and with OtherQueueSchemaError if its queue is in another schema.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const { databaseUrl, signal, onProgress, queueSchema = defaultQueueSchema } = options;
  const lanes = laneSchemas(queueSchema);
  signal?.throwIfAborted();
  // Loaded here, because processes that only read the version do not need it.
  const { Logger, runMigrations } = await import("graphile-worker");
  signal?.throwIfAborted();
  const { waitMs = defaultLockWaitMs } = options;
  const lockTimeout = String(lockTimeoutMs);
  const hooks = {
    // The pool awaits this, although its types do not say so.
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
    // 0 would wait without end.
    await client`select set_config('lock_timeout', ${String(Math.max(1, waitMs))}, false)`;
    await client`select pg_advisory_lock(${migrationLock}::bigint)`;
    await client`select set_config('lock_timeout', ${lockTimeout}, false)`;
    await refuseNewerDatabase(client, options.moveQueue === true ? null : queueSchema);
    onProgress?.("Migrating the tables of the service and of the queue.");
    // Each attempt keeps the steps that the attempts before it finished.
    await retryLocks({ waitMs, signal, onWait: onProgress, subject: () => "the tables to change" }, async () => {
      await migrate(drizzle(client), { migrationsFolder });
      // Our connection holds the lock, so this needs another.
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
  } catch (error) {
    signal?.throwIfAborted();
    throw mapStoreError(error);
  } finally {
    signal?.removeEventListener("abort", abort);
    // The session's end releases the lock.
    await client.end({ timeout: 5 });
  }
}
