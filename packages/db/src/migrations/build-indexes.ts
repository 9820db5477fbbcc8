import { readFile } from "node:fs/promises";
import type postgres from "postgres";
import { codeOf } from "../database/store-error.ts";
import { migrationsFolder, readAppliedMigrations, readJournal } from "./database-version.ts";

/** An index that a migration allows to be built before it. */
const indexStatement = /^CREATE INDEX IF NOT EXISTS "(\w+)" ON /m;
/** SQLSTATEs of a table, column or function that a pending migration creates. The migration then builds the index itself. */
const missingStates = new Set(["42P01", "42703", "42883", "42704"]);

/**
 * Builds the indexes of pending migrations before their transaction, so that other sessions write to the tables meanwhile. It waits up to `waitMs` for each transaction
 * that began before. An interrupted build leaves an invalid index, which the next call removes.
 */
export async function buildIndexes(client: postgres.Sql, waitMs: number): Promise<void> {
  const newest = Math.max(0, ...(await readAppliedMigrations(client)));
  // A new database has no rows.
  if (newest === 0) return;
  const pending = (await readJournal()).filter(({ when }) => when > newest);
  const texts = await Promise.all(pending.map(async ({ tag }) => readFile(`${migrationsFolder}/${tag}.sql`, "utf8")));
  // At least 1, because 0 would mean no limit.
  await client`select set_config('lock_timeout', ${String(Math.max(1, waitMs))}, false)`;
  for (const statement of texts.flatMap((text) => text.split("--> statement-breakpoint"))) {
    const name = indexStatement.exec(statement)?.[1];
    if (name === undefined) continue;
    const [invalid] = await client`
      select from pg_catalog.pg_index where indexrelid = to_regclass(${`public.${name}`}) and not indisvalid`;
    if (invalid !== undefined) await client`drop index concurrently if exists ${client(name)}`;
    try {
      await client.unsafe(statement.replace("CREATE INDEX", "CREATE INDEX CONCURRENTLY"));
    } catch (error) {
      if (!missingStates.has(codeOf(error) ?? "")) throw error;
    }
  }
}
