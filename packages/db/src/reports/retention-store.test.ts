import { randomUUID } from "node:crypto";
import { addOwnedRow, createTestDatabases, readOwnedTables } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createRetentionStore } from "./retention-store.ts";

const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});

async function addTombstones(sql: postgres.Sql, age: string): Promise<void> {
  const [proxy, owner] = [randomUUID(), `issuer|${age}`];
  const deletedAt = sql`now() - ${age}::interval`;
  await sql`insert into proxies (id, name, kind, address, port, protocol, deleted_at)
    values (${proxy}, 'p', 'REVERSE', 'h', 1, 'HTTP', ${deletedAt})`;
  await sql`insert into domains
      (id, proxy_id, hostname, hostname_ascii, upstream_scheme, upstream_host, upstream_port, tls_mode, deleted_at)
    values (${randomUUID()}, ${proxy}, 'a.example', 'a.example', 'HTTP', 'h', 1, 'NONE', ${deletedAt})`;
  await sql`insert into webhooks (id, owner, url, events, of_whom, secret, owner_authorities, deleted_at)
    values (${randomUUID()}, ${owner}, 'https://receiver.example/', '{report.failed}', 'OWN', 'sealed', '{}', ${deletedAt})`;
  await sql`insert into report_schedules (id, name, report_type, definition_version, search_param, options, cron, timezone,
      missed, missed_within_seconds, overlap, status, next_fire_at, counted_from, tz_version, owner, deleted_at)
    values (${randomUUID()}, 'Weekly', 'PROXY', 1, '{}', '{}', '0 6 * * 1', 'UTC',
      'LATEST', 3600, 'SKIP', 'ACTIVE', now(), now(), '2026a', ${owner}, ${deletedAt})`;
  for (const table of await readOwnedTables(sql)) await addOwnedRow(sql, table, owner, `now() - interval '${age}'`);
}

test("retention removes only tombstones older than the limit, from every table", async () => {
  await using clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'deleted_at' and table_type = 'BASE TABLE' and table_name <> 'reports'`;
  const readCounts = async () =>
    Promise.all(
      tables.map(async ({ name }) => {
        const [row] = await sql<{ rows: number }[]>`select count(*)::integer as rows from ${sql(name)}`;
        return [name, row!.rows] as const;
      }),
    );
  for (const age of ["91 days", "89 days"]) await addTombstones(sql, age);
  expect(await readCounts()).toEqual(tables.map(({ name }) => [name, 2]));
  const database = createDatabase({ url: clone.url });
  expect(await createRetentionStore(database).purge(90 * 24 * 3_600_000, 10)).toBe(tables.length);
  expect(await readCounts()).toEqual(tables.map(({ name }) => [name, 1]));
  await database.close();
  await sql.end();
});
