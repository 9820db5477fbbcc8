import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { Pool, type ClientBase } from "pg";
import postgres from "postgres";
import { z } from "zod";
import { queueObjects } from "../queue/queue-objects.ts";
import { defaultQueueSchema, laneSchemas } from "../queue/queue-schema.ts";
import { readPostgresAddress } from "../database/postgres-address.ts";
import { mapStoreError } from "../database/store-error.ts";
import { defaultLockWaitMs, lockTimeoutMs, retryLocks } from "./retry-locks.ts";

/** Beside src and beside dist alike. */
const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));

/** Any constant will do; it must stay the same for ever. */
const migrationLock = 7_217_311_805;

const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })).min(1) });

export interface MigrateOptions {
  readonly databaseUrl: string;
  /** What the API and the worker are given as `QUEUE_SCHEMA`. Default `defaultQueueSchema`. */
  readonly queueSchema?: string;
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
 * and with RangeError for a schema's name that would need quotes.
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
      await connection.query("select set_config('lock_timeout', $1, false)", [lockTimeout]);
    },
  };
  const { url, ssl } = readPostgresAddress(databaseUrl);
  const client = postgres(url, {
    ssl,
    max: 1,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: "reports-migrate" },
  });
  const abort = (): void => void client.end({ timeout: 0 });
  signal?.addEventListener("abort", abort, { once: true });
  try {
    onProgress?.("Waiting for the migration lock.");
    // 0 would be for ever.
    await client`select set_config('lock_timeout', ${String(Math.max(1, waitMs))}, false)`;
    await client`select pg_advisory_lock(${migrationLock}::bigint)`;
    await client`select set_config('lock_timeout', ${lockTimeout}, false)`;
    onProgress?.("Migrating the tables of the service and of the queue.");
    // What an attempt has finished the next one finds done.
    await retryLocks({ waitMs, signal, onWait: onProgress, subject: () => "what has to change" }, async () => {
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

/** What this version of the program expects of a database, and what it has. Versions are the journal's times in ms. */
export interface MigrationState {
  /** Whether the database has all that this version needs. A newer one is current too: migrations only add, until nobody needs the old. */
  readonly current: boolean;
  readonly expected: number;
  /** Null when it was never migrated. */
  readonly actual: number | null;
  /** Where the queue was put; null when it is nowhere. */
  readonly queueSchema: string | null;
}

/** Says whether the schema is at the version that this program expects, with the queue where it is looked for. Changes nothing. */
export async function checkMigrations(options: {
  readonly databaseUrl: string;
  readonly queueSchema?: string;
  readonly signal?: AbortSignal;
}): Promise<MigrationState> {
  const lanes = laneSchemas(options.queueSchema ?? defaultQueueSchema);
  const expected = (await readJournal()).at(-1)!.when;
  const { url, ssl } = readPostgresAddress(options.databaseUrl);
  const client = postgres(url, { ssl, max: 1, connect_timeout: 5, onnotice: () => {} });
  const abort = (): void => void client.end({ timeout: 0 });
  options.signal?.addEventListener("abort", abort, { once: true });
  try {
    // Out of the catalog, which roles may read that have no right to the queue's schemas. The index is the one by which jobs are taken.
    const [found] = await client<{ own: boolean; lanes: number; named: boolean }[]>`
      select
        exists (select from pg_catalog.pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations') as own,
        (select count(*)::int from pg_catalog.pg_indexes where schemaname in ${client(lanes)} and indexname = 'jobs_main_index') as lanes,
        to_regproc('public.report_queue_schema') is not null as named`;
    if (!found?.own) return { current: false, expected, actual: null, queueSchema: null };
    const [row] = await client<
      { actual: string | null }[]
    >`select max(created_at) as actual from drizzle.__drizzle_migrations`;
    const actual = row === undefined || row.actual === null ? null : Number(row.actual);
    const queueSchema = found.named ? await readQueueSchema(client) : null;
    const isQueueHere = found.lanes === lanes.length && queueSchema === (options.queueSchema ?? defaultQueueSchema);
    return { current: isQueueHere && actual !== null && actual >= expected, expected, actual, queueSchema };
  } catch (error) {
    options.signal?.throwIfAborted();
    throw mapStoreError(error);
  } finally {
    options.signal?.removeEventListener("abort", abort);
    await client.end({ timeout: 5 });
  }
}

async function readQueueSchema(client: postgres.Sql): Promise<string | null> {
  const [row] = await client<{ name: string }[]>`select public.report_queue_schema() as name`;
  return row?.name ?? null;
}

/** The migrations in their order. */
export async function readJournal(): Promise<readonly { readonly when: number; readonly tag: string }[]> {
  return journalSchema.parse(JSON.parse(await readFile(`${migrationsFolder}/meta/_journal.json`, "utf8"))).entries;
}
