import { createTestDatabases, otherOwnerPrincipals } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

test("each table with an owner has test records of uninvolved owners", async () => {
  await using clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1 });
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and column_name ~ '(_by|owner|^actor)$' order by 1, 2`;
  const found: string[] = [];
  for (const { table, column } of columns) {
    const rows = await sql`
      select distinct ${sql(column)} as owner from ${sql(table)} where ${sql(column)} = any (${[...otherOwnerPrincipals]})`;
    if (rows.length === otherOwnerPrincipals.length) found.push(`${table}.${column}`);
  }
  await sql.end();
  expect(found).toEqual(columns.map(({ table, column }) => `${table}.${column}`));
  expect(found.length).toBeGreaterThan(3);
});

test("a test that changes records of uninvolved owners fails", async () => {
  const clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1 });
  await sql`update report_schedules set confirmed_at = now()`;
  await sql.end();
  await expect(clone[Symbol.asyncDispose]()).rejects.toThrow("other owners in report_schedules.");
});

test("a test that adds events to reports of uninvolved owners fails", async () => {
  const clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1 });
  await sql`
    insert into report_events (report_id, from_status, to_status, attempt, actor)
    select id, status, status, 0, 'system' from reports limit 1`;
  await sql.end();
  await expect(clone[Symbol.asyncDispose]()).rejects.toThrow("other owners in report_events.");
});

test("a test database is dropped even if its records cannot be read", async () => {
  const clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1 });
  await sql`alter table download_links rename to moved_links`;
  await sql.end();
  await clone[Symbol.asyncDispose]();
  const gone = postgres(clone.url, { max: 1 });
  await expect(gone`select 1`).rejects.toMatchObject({ code: "3D000" });
  await gone.end();
});
