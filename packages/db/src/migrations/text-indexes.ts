import type postgres from "postgres";
import { codeOf } from "../database/store-error.ts";
import { buildIndex } from "./build-indexes.ts";

/** Indexes of the texts that `q` finds, by name. The first two are also in the first migration. report-list.ts finds open reports without an index. */
const textIndexes = {
  proxies_text_index: { table: "proxies", columns: ["name", "description"], where: "deleted_at is null" },
  domains_text_index: { table: "domains", columns: ["hostname", "hostname_ascii"], where: "deleted_at is null" },
  reports_title_index: {
    table: "reports",
    columns: ["title"],
    where: "deleted_at is null and finished_at is not null",
  },
} as const;

/** SQLSTATEs of a server without the extension, and of a role that may not create or use it. */
const unavailableStates = new Set(["0A000", "58P01", "42501"]);

/**
 * Builds missing indexes of text search with pg_trgm, whose schema does not matter. Migrations run once, but the extension can come later.
 * Returns a sentence for the operator if pg_trgm can't be used, else null. Search then reads whole tables.
 */
export async function buildTextIndexes(client: postgres.Sql): Promise<string | null> {
  try {
    await client`create extension if not exists pg_trgm`;
    const schema = await readSchemaOfTrigrams(client);
    for (const [name, { table, columns, where }] of Object.entries(textIndexes)) {
      const parts = columns.map((column) => `"${column}" ${schema!}.gin_trgm_ops`);
      await buildIndex(client, name, `"${table}" using gin (${parts.join(", ")}) where ${where}`);
    }
    return null;
  } catch (error) {
    if (!unavailableStates.has(codeOf(error) ?? "")) throw error;
    return "This user can neither create nor use the extension pg_trgm. So searches with q read whole tables and may take too long. Install Postgres's contrib package, have an administrator run CREATE EXTENSION pg_trgm, and run migrate again.";
  }
}

/** Lets migrations use an extension that an administrator created in a schema other than public. */
export async function useSchemaOfTrigrams(client: postgres.Sql): Promise<void> {
  const schema = (await readSchemaOfTrigrams(client)) ?? "public";
  if (schema !== "public") await client`select set_config('search_path', ${`public, ${schema}, pg_temp`}, false)`;
}

/** Returns the quoted name of the schema of pg_trgm; undefined without the extension. */
async function readSchemaOfTrigrams(client: postgres.Sql): Promise<string | undefined> {
  const [row] = await client<{ schema: string }[]>`
    select extnamespace::regnamespace::text as schema from pg_catalog.pg_extension where extname = 'pg_trgm'`;
  return row?.schema;
}
