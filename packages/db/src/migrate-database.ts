import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { StoreUnavailableError } from "@reports/core";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { Logger, runMigrations } from "graphile-worker";
import postgres from "postgres";
import { z } from "zod";
import { mapStoreError } from "./store-error.ts";

/** Beside src and beside dist alike. */
const migrationsFolder = fileURLToPath(new URL("../migrations", import.meta.url));

/** Any constant will do; it must stay the same for ever. */
const migrationLock = 7_217_311_805;

const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })).min(1) });

export interface MigrateOptions {
  readonly databaseUrl: string;
  /** How long to wait for another migration that is running. Default 60,000. */
  readonly waitMs?: number;
  /** How long one statement may wait for a lock of the running service. Default 5,000. */
  readonly lockTimeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with a sentence for a person. */
  readonly onProgress?: (message: string) => void;
}

/**
 * Brings a database to this version: our own tables, then graphile-worker's. Safe to run again and from several machines at once:
 * one migrates, the others wait. Rejects with StoreUnavailableError when Postgres cannot be reached or a lock is not had in time.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const { databaseUrl, signal, onProgress } = options;
  signal?.throwIfAborted();
  const client = postgres(databaseUrl, {
    max: 1,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: "reports-migrate" },
  });
  const abort = (): void => void client.end({ timeout: 0 });
  signal?.addEventListener("abort", abort, { once: true });
  try {
    onProgress?.("Waiting for the migration lock.");
    await client`select set_config('lock_timeout', ${String(options.waitMs ?? 60_000)}, false)`;
    await client`select pg_advisory_lock(${migrationLock}::bigint)`;
    await client`select set_config('lock_timeout', ${String(options.lockTimeoutMs ?? 5_000)}, false)`;
    onProgress?.("Migrating the tables of the service.");
    await migrate(drizzle(client), { migrationsFolder });
    onProgress?.("Migrating the tables of the queue.");
    // On a connection of its own, while ours holds the lock.
    await runMigrations({ connectionString: databaseUrl, maxPoolSize: 1, logger: new Logger(() => () => {}) });
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
}

/** Says whether the schema is at the version that this program expects. Changes nothing. */
export async function checkMigrations(options: { readonly databaseUrl: string }): Promise<MigrationState> {
  const expected = (await readJournal()).at(-1)!.when;
  const client = postgres(options.databaseUrl, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    // Out of the catalog, which roles may read that have no right to the queue's schema.
    const [found] = await client<{ own: boolean; queue: boolean }[]>`
      select bool_or(schemaname = 'drizzle' and tablename = '__drizzle_migrations') as own,
        bool_or(schemaname = 'graphile_worker' and tablename = 'migrations') as queue
      from pg_catalog.pg_tables`;
    if (!found?.own) return { current: false, expected, actual: null };
    const [row] = await client<
      { actual: string | null }[]
    >`select max(created_at) as actual from drizzle.__drizzle_migrations`;
    const actual = row === undefined || row.actual === null ? null : Number(row.actual);
    return { current: found.queue && actual !== null && actual >= expected, expected, actual };
  } catch (error) {
    throw mapStoreError(error);
  } finally {
    await client.end({ timeout: 5 });
  }
}

/**
 * Waits until the schema is at the expected version, asking once a second. Rejects with StoreUnavailableError, saying what to run, when it is not in time.
 */
export async function waitForMigrations(options: {
  readonly databaseUrl: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}): Promise<void> {
  const until = performance.now() + options.timeoutMs;
  for (;;) {
    options.signal?.throwIfAborted();
    const outcome = await checkMigrations(options).catch((error: unknown) => error as Error);
    if (!(outcome instanceof Error) && outcome.current) return;
    if (performance.now() >= until) {
      if (outcome instanceof Error) throw outcome;
      throw new StoreUnavailableError(
        "The database's schema is older than this program. Run `pnpm migrate` with the same DATABASE_URL, then start again.",
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** The migrations in their order. */
export async function readJournal(): Promise<readonly { readonly when: number; readonly tag: string }[]> {
  return journalSchema.parse(JSON.parse(await readFile(`${migrationsFolder}/meta/_journal.json`, "utf8"))).entries;
}
