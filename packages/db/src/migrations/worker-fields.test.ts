import { domainsCollection, proxiesCollection } from "@reports/core/inventory";
import { listResponseFieldNames, storedFieldNames } from "@reports/core/record";
import { scheduleRecord } from "@reports/core/schedule";
import { webhookRecord } from "@reports/core/webhook";
import { createTestDatabases } from "@reports/testing";
import { getTableName } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownedCollections } from "../collections/owned-collections.ts";
import { selectFieldColumns } from "../relations/table-relation.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";
import { reportSchedules } from "../schema/report-schedules.ts";
import { webhooks } from "../schema/webhooks.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { createDatabaseRoles, databaseRoles } from "./roles.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let admin: postgres.Sql;

beforeAll(async () => {
  clone = await cloneDatabase();
  await createDatabaseRoles({ databaseUrl: clone.url });
  admin = postgres(clone.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await admin.end();
  await clone[Symbol.asyncDispose]();
});

async function allowed(table: PgTable, fields: readonly string[], privilege: "SELECT" | "UPDATE") {
  const columns = Object.entries<PgColumn>(selectFieldColumns(table, fields));
  const rows = await admin<{ field: string }[]>`
    select field from unnest(${columns.map(([field]) => field)}::text[], ${columns.map(([, { name }]) => name)}::text[]) as asked (field, name)
    where has_column_privilege(${databaseRoles.worker}, ${getTableName(table)}, name, ${privilege})`;
  return rows.map(({ field }) => field);
}

test.each([
  ["proxies", proxies, listResponseFieldNames(proxiesCollection), proxiesCollection.rules!.fields, []],
  ["domains", domains, listResponseFieldNames(domainsCollection), domainsCollection.rules!.fields, []],
  ["schedules", reportSchedules, storedFieldNames(scheduleRecord), scheduleRecord.rules.fields, ["status"]],
  ["webhooks", webhooks, storedFieldNames(webhookRecord), webhookRecord.rules.fields, ["status"]],
  ...ownedCollections.map(
    ({ table, definition: { name, record } }) =>
      [name, table, storedFieldNames(record), record.rules.fields, []] as const,
  ),
] as const)(
  "the worker can read each field of %s but not change fields that callers set",
  async (_, table, stored, written, own) => {
    expect(await allowed(table, stored, "SELECT")).toEqual(stored);
    expect(await allowed(table, written, "UPDATE")).toEqual(own);
  },
);
