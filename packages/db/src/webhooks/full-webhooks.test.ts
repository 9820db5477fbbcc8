import { randomUUID } from "node:crypto";
import { unlimitedStarts } from "@reports/core/report";
import { webhookLimits, type Webhook } from "@reports/core/webhook";
import { createTestDatabases, makeNewReport } from "@reports/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "../reports/report-store.ts";
import { createWebhookStore } from "./webhook-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  // Some statements of these tests write thousands of deliveries.
  database = createDatabase({ url: clone.url, deadlineMs: 120_000 });
});
afterAll(async () => {
  await database.close();
  await clone[Symbol.asyncDispose]();
});

async function openFull(waiting: number, reports: number) {
  const owner = `issuer|${randomUUID()}`;
  const hook = (await createWebhookStore(database).create(
    {
      id: randomUUID(),
      owner,
      url: "https://receiver.example/hook",
      events: ["report.cancelled"],
      reportTypes: null,
      of: "OWN",
      ownerAuthorities: ["WEBHOOKS_WRITE"],
      secret: "sealed",
    },
    webhookLimits,
  )) as Webhook;
  await database.query((queries) =>
    queries.execute(sql`
      insert into webhook_deliveries (id, webhook_id, event_id, type, data, next_try_at)
      select gen_random_uuid(), ${hook.id}, gen_random_uuid(), 'report.failed', '{}', 'infinity' from generate_series(1, ${waiting}::integer)`),
  );
  const store = createReportStore(database);
  for (let count = 0; count < reports; count++)
    await store.createQueued(makeNewReport({ requestedBy: owner }), unlimitedStarts);
  const readScans = async (tx: Queries): Promise<number> => {
    const [row] = await tx.execute<{ scans: string }>(sql`
      select seq_scan + idx_scan as scans from pg_stat_xact_user_tables where relname = 'webhook_deliveries'`);
    return Number(row!.scans);
  };
  const end = async (tx: Queries) => {
    const before = await readScans(tx);
    await tx.execute(sql`
      insert into report_events (report_id, from_status, to_status, attempt, actor)
      select id, 'QUEUED', 'CANCELLED', 0, 'x' from reports where requested_by = ${owner}`);
    return (await readScans(tx)) - before;
  };
  const queued = async () => {
    const rows = await database.query((queries) =>
      queries.execute<{ status: string; number: number }>(sql`
        select status, count(*)::integer as number from webhook_deliveries
        where webhook_id = ${hook.id} and type = 'report.cancelled' group by status order by status`),
    );
    return rows.map(({ status, number }) => [status, number]);
  };
  return { end, queued };
}

test("a transaction counts a webhook's waiting deliveries once, not once per event", async () => {
  const { end, queued } = await openFull(10_000, 20);
  // Depending on the plan, Postgres scans the deliveries once or twice per transaction, but not once per event.
  expect(await database.transaction(end)).toBeLessThan(20);
  expect(await queued()).toEqual([["DROPPED", 20]]);
});

test("one transaction with many events leaves at most 10,000 waiting deliveries", async () => {
  const { end, queued } = await openFull(9_995, 20);
  await database.transaction(end);
  expect(await queued()).toEqual([
    ["DROPPED", 15],
    ["PENDING", 5],
  ]);
});

test("deliveries that a savepoint rolled back do not count towards the 10,000 waiting", async () => {
  const { end, queued } = await openFull(9_990, 10);
  await database.transaction(async (tx) => {
    await tx.execute(sql`savepoint before`);
    await end(tx);
    await tx.execute(sql`rollback to savepoint before`);
    await end(tx);
  });
  expect(await queued()).toEqual([["PENDING", 10]]);
});
