import { readFile } from "node:fs/promises";
import { createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const guides = ["respond-to-alerts", "repair", "rotate-secrets", "scale"];

async function queriesOf(guide: string): Promise<readonly string[]> {
  const page = await readFile(new URL(`../../../../docs/guides/running/${guide}.md`, import.meta.url), "utf8");
  const blocks = [...page.matchAll(/^ *```sql\n([^]*?)```$/gm)].map(([, block]) => block!);
  return blocks.flatMap((block) => block.split(/;\s*$/m).filter((text) => text.trim() !== ""));
}

test.each(guides)("every SQL query in the guide %s runs and only reads", async (guide) => {
  const queries = await queriesOf(guide);
  expect(queries).not.toEqual([]);
  await using database = await cloneDatabase();
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  for (const query of queries) await sql.begin("read only", async (transaction) => transaction.unsafe(query));
  await sql.end();
});
