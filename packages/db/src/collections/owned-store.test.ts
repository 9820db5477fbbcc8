import { randomBytes, randomUUID } from "node:crypto";
import { newestFirstSort } from "@reports/core/record";
import { createTestDatabases } from "@reports/testing";
import { eq } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { createDatabaseRoles, databaseRoles } from "../migrations/roles.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { scheduleTableMapping } from "../schedules/schedule-row.ts";
import type { reportSchedules } from "../schema/report-schedules.ts";
import type { webhooks } from "../schema/webhooks.ts";
import { webhookTableMapping } from "../webhooks/webhook-row.ts";
import {
  createOwnedStore,
  listOwnedRecords,
  type OwnedRecordChange,
  type OwnedTableMapping,
  type OwnedTable,
} from "./owned-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let admin: postgres.Sql;
let database: Database;
const user = `test_${randomBytes(6).toString("hex")}`;

beforeAll(async () => {
  clone = await cloneDatabase();
  await createDatabaseRoles({ databaseUrl: clone.url });
  admin = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create role ${user} login password 'x' in role ${databaseRoles.api}`);
  database = createDatabase({ url: Object.assign(new URL(clone.url), { username: user, password: "x" }).href });
});
afterAll(async () => {
  await database.close();
  await admin.unsafe(`drop role ${user}`);
  await admin.end();
  await clone[Symbol.asyncDispose]();
});

const time = (text: string) => new Date(`2026-${text}T00:00:00.000Z`);
const newSchedule = (owner: string): typeof reportSchedules.$inferInsert => ({
  id: randomUUID(),
  name: "Weekly",
  reportType: "PROXY",
  definitionVersion: 1,
  searchParam: {},
  options: {},
  cron: "0 6 * * 1",
  timezone: "UTC",
  missed: "LATEST",
  missedWithinSeconds: 3_600,
  overlap: "SKIP",
  status: "ACTIVE",
  nextFireAt: time("12-07"),
  countedFrom: new Date(),
  tzVersion: "2026a",
  owner,
});
const newWebhook = (owner: string): typeof webhooks.$inferInsert => ({
  id: randomUUID(),
  owner,
  url: "https://receiver.example/hook",
  events: ["report.failed"],
  of: "OWN",
  secret: "sealed",
  ownerAuthorities: [],
});

const scheduleChanges: Readonly<Record<(typeof scheduleTableMapping)["written"][number], object>> = {
  name: { fields: { name: "Monthly" } },
  searchParam: { fields: { searchParam: { region: ["eu"] } } },
  options: { fields: { options: { format: "CSV" } } },
  cron: { fields: { cron: "0 6 1 * *" } },
  timezone: { fields: { timezone: "Asia/Kathmandu" } },
  startsAt: { fields: { startsAt: time("12-01") } },
  endsAt: { fields: { endsAt: time("12-31") } },
  missed: { fields: { missed: "SKIP" } },
  missedWithinSeconds: { fields: { missedWithinSeconds: 60 } },
  overlap: { fields: { overlap: "ALLOW" } },
  status: { fields: { status: "PAUSED" }, others: { nextFireAt: null } },
};
const paused = { fields: { status: "PAUSED", pausedBecause: "REQUESTED" } };
const webhookChanges: Readonly<Record<(typeof webhookTableMapping)["written"][number], object>> = {
  url: { fields: { url: "https://other.example/hook" } },
  events: { fields: { events: ["report.succeeded", "schedule.paused"] } },
  reportTypes: { fields: { reportTypes: ["PROXY"] } },
  of: { fields: { of: "ALL" } },
  status: paused,
  pausedBecause: paused,
};

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly revision: number };
type AnyMapping = OwnedTableMapping<OwnedTable & { readonly $inferSelect: Row }, Row, Row, string, never>;
type AnyChange = OwnedRecordChange<OwnedTable & { readonly $inferSelect: Row }, Row, string, never, "full">;

const kinds = [
  ["schedules", scheduleTableMapping as unknown as AnyMapping, newSchedule, scheduleChanges],
  ["webhooks", webhookTableMapping as unknown as AnyMapping, newWebhook, webhookChanges],
] as const;

describe.each(kinds)("%s, stored with the role of the API", (_, mapping, newRow, changes) => {
  const store = () => createOwnedStore(database, mapping);
  const newOwner = () => `issuer|${randomUUID()}`;
  const create = async (owner: string) => (await store().create([], () => newRow(owner))) as Row;
  const change = async ({ id }: Row, wanted: object) => store().change(id, () => wanted as AnyChange);
  const listOf = async (owner: string) => {
    const query = { filters: {}, sort: newestFirstSort, limit: 10, after: null, count: true, owner };
    return database.query((queries) => listOwnedRecords(queries, mapping, query));
  };

  test.each(Object.entries(changes))(
    "a change of %s is stored and appears in the record and in lists",
    async (field, wanted: object) => {
      const { fields } = wanted as { readonly fields: Readonly<Record<string, unknown>> };
      const owner = newOwner();
      const created = await create(owner);
      expect(created[field]).not.toEqual(fields[field]);
      const changed = await change(created, wanted);
      expect(changed).toMatchObject({ ...fields, id: created.id, revision: created.revision + 1 });
      expect(await store().find(created.id)).toEqual(changed);
      expect((await listOf(owner)).items).toEqual([changed]);
      expect(await change(created, wanted)).toEqual(changed);
    },
  );

  test("a change ignores the owner, the creation time and other read-only fields", async () => {
    const created = await create(newOwner());
    expect(await change(created, { fields: { owner: "basic:eve", createdAt: new Date(0) } })).toEqual(created);
  });

  test("a list contains only the active records of its owner", async () => {
    const owner = newOwner();
    const [created, other] = [await create(owner), await create(newOwner())];
    expect(await listOf(owner)).toMatchObject({ items: [{ id: created.id }], total: 1 });
    await store().remove(other.id, () => undefined);
    await store().remove(created.id, () => undefined);
    expect(await listOf(owner)).toMatchObject({ items: [], total: 0 });
    expect(await store().find(created.id)).toMatchObject({
      revision: created.revision + 1,
      deletedAt: expect.any(Date),
    });
    expect(await change(created, Object.values(changes)[0]!)).toBeNull();
  });

  test("concurrent creates never exceed the limit on an owner's records", async () => {
    const owner = newOwner();
    const limit = { code: "full", most: 3, lock: `test:${owner}`, where: eq(mapping.table.owner, owner) };
    const created = await Promise.all(
      Array.from({ length: 8 }, async () => store().create([limit], () => newRow(owner))),
    );
    expect(created.filter((each) => each === "full")).toHaveLength(5);
    expect(await listOf(owner)).toMatchObject({ total: 3 });
  });
});
