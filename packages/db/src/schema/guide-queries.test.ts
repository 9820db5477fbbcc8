import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const folder = join(import.meta.dirname, "../../../../docs/guides/running");

function queriesOf(guide: string): readonly string[] {
  const blocks = readFileSync(join(folder, guide), "utf8").matchAll(/(?<!-->\n)^ *```sql\n([^]*?)```$/gm);
  return [...blocks].flatMap(([, block]) => block!.split(/;\s*$/m).filter((text) => text.trim() !== ""));
}

const guides = globSync("*.md", { cwd: folder }).filter((guide) => queriesOf(guide).length > 0);

test("the guides for operators contain SQL queries", () => {
  expect(guides).toContain("respond-to-alerts.md");
});

test.each(guides)("every SQL query in the guide %s runs and only reads", async (guide) => {
  await using database = await cloneDatabase();
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  for (const query of queriesOf(guide)) {
    const answer = sql.begin("read only", async (transaction) => transaction.unsafe(query));
    await expect(answer).resolves.toBeDefined();
  }
  await sql.end();
});
