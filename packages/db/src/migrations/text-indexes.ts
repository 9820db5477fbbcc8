import type postgres from "postgres";
import { firstErrorCodeOf } from "../database/store-error.ts";
import { buildIndex } from "./build-pending-indexes.ts";

/**
 * Indexes for the list parameter `q`, which searches texts. The index of reports excludes unfinished ones, because each progress update would write
 * to it. report-list.ts searches these reports without an index.
 */
const textIndexes = {
  proxies_text_index: { table: "proxies", columns: ["name", "description"], where: "deleted_at is null" },
  domains_text_index: { table: "domains", columns: ["hostname", "hostname_ascii"], where: "deleted_at is null" },
  reports_title_index: {
    table: "reports",
    columns: ["title"],
    where: "deleted_at is null and finished_at is not null",
  },
} as const;

/** SQLSTATEs of a server without the extension pg_trgm, and of a user who may not create or use it. */
const unavailableStates = new Set(["0A000", "58P01", "42501"]);

/** Builds missing indexes for text search. No migration does, because pg_trgm can be installed later. Returns a problem for the operator, or null. */
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
    if (!unavailableStates.has(firstErrorCodeOf(error) ?? "")) throw error;
    return "This user can neither create nor use the extension pg_trgm. So searches with q read whole tables and may take too long. Install Postgres's contrib package, have an administrator run CREATE EXTENSION pg_trgm, and run migrate again.";
  }
}

/** Lets migrations find pg_trgm if an administrator installed it in a schema other than public. */
export async function addTrigramSchemaToSearchPath(client: postgres.Sql): Promise<void> {
  const schema = (await readSchemaOfTrigrams(client)) ?? "public";
  if (schema !== "public") await client`select set_config('search_path', ${`public, ${schema}, pg_temp`}, false)`;
}

async function readSchemaOfTrigrams(client: postgres.Sql): Promise<string | undefined> {
  const [row] = await client<{ schema: string }[]>`
    select extnamespace::regnamespace::text as schema from pg_catalog.pg_extension where extname = 'pg_trgm'`;
  return row?.schema;
}
