import { readFile } from "node:fs/promises";
import type postgres from "postgres";
import { codeOf } from "../database/store-error.ts";
import { migrationsFolder, readAppliedMigrations, readJournal } from "./database-version.ts";

/** An index that a migration allows to be built before it. */
const indexStatement = /^CREATE INDEX IF NOT EXISTS "(?<name>\w+)" ON (?<definition>[^;]+)/m;
/** SQLSTATEs of a table, column or function that a pending migration creates. The migration then builds the index itself. */
const missingStates = new Set(["42P01", "42703", "42883", "42704"]);

/** Builds the indexes of pending migrations before their transaction, so that other sessions write to the tables meanwhile. */
export async function buildIndexes(client: postgres.Sql): Promise<void> {
  const newest = Math.max(0, ...(await readAppliedMigrations(client)));
  // A new database has no rows.
  if (newest === 0) return;
  const pending = (await readJournal()).filter(({ when }) => when > newest);
  const texts = await Promise.all(pending.map(async ({ tag }) => readFile(`${migrationsFolder}/${tag}.sql`, "utf8")));
  for (const statement of texts.flatMap((text) => text.split("--> statement-breakpoint"))) {
    const { name, definition } = indexStatement.exec(statement)?.groups ?? {};
    if (name === undefined || definition === undefined) continue;
    try {
      await buildIndex(client, name, definition);
    } catch (error) {
      if (!missingStates.has(codeOf(error) ?? "")) throw error;
    }
  }
}

/**
 * Builds an index without a lock, unless it exists. It waits for each transaction that began before, up to `lock_timeout`. An interrupted build
 * leaves an invalid index, which the next call removes.
 */
export async function buildIndex(client: postgres.Sql, name: string, definition: string): Promise<void> {
  const [index] = await client<{ isValid: boolean }[]>`
    select indisvalid as "isValid" from pg_catalog.pg_index where indexrelid = to_regclass(${`public.${name}`})`;
  if (index?.isValid === true) return;
  if (index !== undefined) await client`drop index concurrently if exists ${client(name)}`;
  await client.unsafe(`create index concurrently if not exists "${name}" on ${definition}`);
}
