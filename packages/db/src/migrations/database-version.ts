import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type postgres from "postgres";
import { z } from "zod";
import { withCurrentPassword } from "../database/current-password.ts";
import { withSingleConnection } from "../database/single-connection.ts";
import { queueObjectsVersion } from "../queue/queue-objects.ts";
import { defaultQueueSchema, laneSchemaNames } from "../queue/queue-schema.ts";
import {
  findQueueProblem,
  queueVersionsStatement,
  parseQueueVersions,
  type QueueObjectVersions,
} from "../queue/queue-object-versions.ts";

export const migrationsFolder = fileURLToPath(new URL("../../migrations", import.meta.url));

const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })).min(1) });

export async function readMigrationJournal(): Promise<readonly { readonly when: number; readonly tag: string }[]> {
  return journalSchema.parse(JSON.parse(await readFile(`${migrationsFolder}/meta/_journal.json`, "utf8"))).entries;
}

const newerDatabaseAdvice =
  "Nothing was changed. Use the commands of the newer version. To return to this version of the API and the workers, run no command.";

/** Thrown if the database is newer than this program, which must then change nothing in it. */
export class NewerDatabaseError extends Error {
  override readonly name = "NewerDatabaseError";
}

export class QueueSchemaMismatchError extends Error {
  override readonly name = "QueueSchemaMismatchError";
}

interface DatabaseVersion extends QueueObjectVersions {
  /** Times of the applied migrations, in ms since 1970 as in the journal. Empty if the database was never migrated. */
  readonly applied: readonly number[];
}

export async function readAppliedMigrations(client: postgres.Sql): Promise<readonly number[]> {
  const [found] = await client<{ isMigrated: boolean }[]>`
    select exists (select from pg_catalog.pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations') as "isMigrated"`;
  const applied = found!.isMigrated
    ? await client<{ at: string }[]>`select created_at as at from drizzle.__drizzle_migrations order by created_at`
    : [];
  return applied.map(({ at }) => Number(at));
}

async function readDatabaseVersion(client: postgres.Sql): Promise<DatabaseVersion> {
  return {
    applied: await readAppliedMigrations(client),
    ...parseQueueVersions(await client.unsafe(queueVersionsStatement)),
  };
}

/** Throws NewerDatabaseError if this program is older than the database, or QueueSchemaMismatchError if the queue is in another schema. */
export async function assertDatabaseSuitable(client: postgres.Sql, queueSchema: string | null): Promise<void> {
  const known = new Set((await readMigrationJournal()).map(({ when }) => when));
  const version = await readDatabaseVersion(client);
  const unknown = version.applied.filter((when) => !known.has(when)).length;
  if (unknown > 0)
    throw new NewerDatabaseError(
      `The database is newer than this program: it has migrations that this program does not know (${unknown}). ${newerDatabaseAdvice}`,
    );
  if (version.newest > queueObjectsVersion)
    throw new NewerDatabaseError(
      `The database is newer than this program: its queue functions have version ${version.newest}, and this program knows ${queueObjectsVersion}. ${newerDatabaseAdvice}`,
    );
  if (queueSchema === null || version.schema === null || version.schema === queueSchema) return;
  throw new QueueSchemaMismatchError(
    `The queue of this database is in schema ${version.schema}, but QUEUE_SCHEMA of this command is ${queueSchema}. Set QUEUE_SCHEMA=${version.schema}, as for the API and the workers.`,
  );
}

export interface MigrationState {
  /** Whether the database has everything that this program needs. True for a newer database too, because migrations keep what older versions need. */
  readonly current: boolean;
  readonly problem: string | null;
  readonly expected: number;
  readonly actual: number | null;
  readonly queueSchema: string | null;
}

export async function readMigrationState(options: {
  readonly databaseUrl: string;
  readonly queueSchema?: string;
  readonly signal?: AbortSignal;
}): Promise<MigrationState> {
  const { databaseUrl, signal, queueSchema = defaultQueueSchema } = options;
  const lanes = laneSchemaNames(queueSchema);
  const expected = (await readMigrationJournal()).at(-1)!.when;
  const connection = { databaseUrl: withCurrentPassword(databaseUrl), applicationName: "reports-version", signal };
  return withSingleConnection(connection, async (client) => {
    const { applied, ...queue } = await readDatabaseVersion(client);
    // Every role may read the catalog, but not the queue's schemas. A lane is complete if it has the index by which workers fetch jobs.
    const [found] = await client<{ lanes: number }[]>`
      select count(*)::int as lanes from pg_catalog.pg_indexes where schemaname in ${client(lanes)} and indexname = 'jobs_main_index'`;
    const actual = applied.at(-1) ?? null;
    const isOlder = actual === null || actual < expected;
    const problem = isOlder ? olderProblem : findQueueProblem(queue, queueSchema);
    const lacksLanes = problem === null && found!.lanes < lanes.length;
    const state = { expected, actual, queueSchema: queue.schema, problem: lacksLanes ? olderProblem : problem };
    return { ...state, current: state.problem === null };
  });
}

const olderProblem =
  "The database's schema is older than this program. Run `migrate` (in a checkout `pnpm operate migrate`) with the DATABASE_URL of the owner, then start again.";
