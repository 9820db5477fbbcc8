import { createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { migrateDatabase } from "./migrate-database.ts";
import { buildTextIndexes } from "./text-indexes.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => {}, template: "empty" });

async function readTextIndexes(owner: postgres.Sql) {
  return owner`
    select relname as name, indisvalid as valid from pg_index join pg_class on oid = indexrelid
    where relname in ('proxies_text_index', 'domains_text_index', 'reports_title_index') order by relname`;
}
const allValid = ["domains_text_index", "proxies_text_index", "reports_title_index"].map((name) => ({
  name,
  valid: true,
}));

test("migrations use pg_trgm in a schema other than public", async () => {
  await using database = await cloneDatabase();
  const owner = postgres(database.url, { max: 1, onnotice: () => undefined });
  await owner`create schema "Other extensions"`;
  await owner`create extension pg_trgm schema "Other extensions"`;
  await migrateDatabase({ databaseUrl: database.url });
  expect(await readTextIndexes(owner)).toEqual(allValid);
  await owner.end();
});

test("migrate reports a missing pg_trgm, and builds its indexes once it is installed", async () => {
  await using database = await cloneDatabase();
  await migrateDatabase({ databaseUrl: database.url });
  const owner = postgres(database.url, { max: 1, onnotice: () => undefined });
  await owner`drop extension pg_trgm cascade`;
  expect(await readTextIndexes(owner)).toEqual([]);
  await owner`set role pg_monitor`;
  expect(await buildTextIndexes(owner)).toMatch(
    /^This user can neither create nor use the extension pg_trgm\. .* run migrate again\.$/,
  );
  await owner`reset role`;
  await migrateDatabase({ databaseUrl: database.url });
  expect(await readTextIndexes(owner)).toEqual(allValid);
  await owner.end();
});
