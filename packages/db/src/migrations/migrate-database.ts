import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { Pool, type ClientBase } from "pg";
import postgres from "postgres";
import { queueObjects } from "../queue/queue-objects.ts";
import { defaultQueueSchema, laneSchemas } from "../queue/queue-schema.ts";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { sessionStatement } from "../database/session-settings.ts";
import { mapStoreError } from "../database/store-error.ts";
import { migrationsFolder, refuseToChange } from "./database-version.ts";
import { defaultLockWaitMs, lockTimeoutMs, retryLocks } from "./retry-locks.ts";

/** Any constant will do; it must stay the same for ever. */
const migrationLock = 7_217_311_805;

export interface MigrateOptions {
  readonly databaseUrl: string;
  /** What the API and the worker are given as `QUEUE_SCHEMA`. Default `defaultQueueSchema`. */
  readonly queueSchema?: string;
  /** Puts the queue into `queueSchema` even if the database has it in another schema. */
  readonly moveQueue?: boolean;
  /** How long to wait for another migration that is running, and then for what the running service has in use. Default 300,000. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  /** Called with a sentence for a person. */
  readonly onProgress?: (message: string) => void;
}

/**
 * Brings a database to this version: our own tables, then graphile-worker's in the schemas of our lanes, then what joins the two. Safe
 * to run again and from several machines at once: one migrates, the others wait. What has to be locked is asked for in short attempts, so
 * that a running service is not held up. Rejects with StoreUnavailableError when Postgres cannot be reached or a lock is not had in time,
 * and with RangeError for a schema's name that would need quotes. Changes nothing and rejects with NewerDatabaseError if the database is
 * newer than this program, and with OtherQueueSchemaError if its queue is in another schema.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const { databaseUrl, signal, onProgress, queueSchema = defaultQueueSchema } = options;
  const lanes = laneSchemas(queueSchema);
  signal?.throwIfAborted();
  // Loaded here, because processes that only ask for the version have no use for it.
  const { Logger, runMigrations } = await import("graphile-worker");
  signal?.throwIfAborted();
  const { waitMs = defaultLockWaitMs } = options;
  const lockTimeout = String(lockTimeoutMs);
  const hooks = {
    // The pool waits for it, which its types do not say.
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
    // 0 would be for ever.
    await client`select set_config('lock_timeout', ${String(Math.max(1, waitMs))}, false)`;
    await client`select pg_advisory_lock(${migrationLock}::bigint)`;
    await client`select set_config('lock_timeout', ${lockTimeout}, false)`;
    await refuseToChange(client, options.moveQueue === true ? null : queueSchema);
    onProgress?.("Migrating the tables of the service and of the queue.");
    // What an attempt has finished the next one finds done.
    await retryLocks({ waitMs, signal, onWait: onProgress, subject: () => "the tables to change" }, async () => {
      await migrate(drizzle(client), { migrationsFolder });
      // On a connection of its own, while ours holds the lock.
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
    // Ends the session, and with it the lock.
    await client.end({ timeout: 5 });
  }
}
