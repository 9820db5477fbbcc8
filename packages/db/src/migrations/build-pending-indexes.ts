import { readFile } from "node:fs/promises";
import type postgres from "postgres";
import { firstErrorCodeOf } from "../database/store-error.ts";
import { migrationsFolder, readAppliedMigrations, readMigrationJournal } from "./database-version.ts";

/** The form in which a migration must write an index, so that `buildPendingIndexes` finds it and builds it before the migration runs. */
const indexStatement = /^CREATE INDEX IF NOT EXISTS "(?<name>\w+)" ON (?<definition>[^;]+)/;
/** SQLSTATEs for a missing table, column or function. A pending migration creates it, and then also builds the index. */
const missingStates = new Set(["42P01", "42703", "42883", "42704"]);

/** Builds the indexes of pending migrations before the migrations' transaction, so that other sessions can write to the tables meanwhile. */
export async function buildPendingIndexes(client: postgres.Sql): Promise<void> {
  const newest = Math.max(0, ...(await readAppliedMigrations(client)));
  if (newest === 0) return;
  const pending = (await readMigrationJournal()).filter(({ when }) => when > newest);
  const texts = await Promise.all(pending.map(async ({ tag }) => readFile(`${migrationsFolder}/${tag}.sql`, "utf8")));
  for (const statement of texts.flatMap((text) => text.split(/--> statement-breakpoint|^(?=CREATE INDEX )/m))) {
    const { name, definition } = indexStatement.exec(statement)?.groups ?? {};
    if (name === undefined || definition === undefined) continue;
    try {
      await buildIndex(client, name, definition);
    } catch (error) {
      if (!missingStates.has(firstErrorCodeOf(error) ?? "")) throw error;
    }
  }
}

/** Builds an index without blocking writers. Waits for older transactions, up to `lock_timeout`. Replaces the index of an interrupted build. */
export async function buildIndex(client: postgres.Sql, name: string, definition: string): Promise<void> {
  const [index] = await client<{ isValid: boolean }[]>`
    select indisvalid as "isValid" from pg_catalog.pg_index where indexrelid = to_regclass(${`public.${name}`})`;
  if (index?.isValid === true) return;
  if (index !== undefined) await client`drop index concurrently if exists ${client(name)}`;
  await client.unsafe(`create index concurrently if not exists "${name}" on ${definition}`);
}
