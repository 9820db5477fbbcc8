import { DomainError } from "@reports/core/base";
import { unlimitedStarts, type NewReport, type OnceClaim } from "@reports/core/report";
import {
  createTestDatabases,
  makeNewReport,
  otherOwnerPrincipals,
  waitForBlockedSession,
  isFullTestRun,
} from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "./report-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const others = [...otherOwnerPrincipals];

async function openStore() {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, deadlineMs: 60_000 });
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const store = createReportStore(database);
  await Promise.all(Array.from({ length: 10 }, () => store.findStarted("nothing")));
  return {
    sql,
    store,
    start: (changes: Partial<NewReport> = {}, once?: OnceClaim, limits = unlimitedStarts) =>
      store.createQueued(makeNewReport({ requestedBy: "basic:alice", ...changes }), limits, once),
    async [Symbol.asyncDispose]() {
      await database.close();
      await sql.end();
      await clone[Symbol.asyncDispose]();
    },
  };
}

const many = <Result>(count: number, start: (index: number) => Promise<Result>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => start(index)));

const claim = (key: string, asked = "the same"): OnceClaim => ({
  principalId: "basic:alice",
  endpoint: "startReport",
  key,
  fingerprint: asked,
  answerOf: ({ id }) => `answer ${id}`,
});

test("30 concurrent starts of a caller commit in one transaction with events and jobs", async () => {
  await using opened = await openStore();
  const started = await many(30, async () => opened.start());
  expect(started.every(({ status }) => status === "fulfilled")).toBe(true);
  const [seen] = await opened.sql`
    select count(*)::int as reports, count(distinct reports.xmin::text)::int as transactions,
      count(distinct report_events.id)::int as events, count(distinct jobs.key)::int as jobs,
      array_agg(jobs.priority::int order by reports.id) as priorities
    from reports
    join report_events on report_id = reports.id and to_status = 'QUEUED' and actor = 'basic:alice'
    join report_queue.jobs as jobs on jobs.key = 'report:' || reports.id`;
  expect(seen).toEqual({
    reports: 30,
    transactions: 1,
    events: 30,
    jobs: 30,
    priorities: Array.from({ length: 30 }, (_, index) => index),
  });
});

test("the jobs of each caller are prioritized from 0, independently of other callers", async () => {
  await using opened = await openStore();
  await many(3, async () => opened.start());
  await many(2, async () => opened.start());
  await many(2, async () => opened.start({ requestedBy: "basic:bob" }));
  const rows = await opened.sql`
    select requested_by, array_agg(priority::int order by priority) as priorities
    from reports join report_queue.jobs on key = 'report:' || reports.id group by 1 order by 1`;
  expect([...rows]).toEqual([
    { requested_by: "basic:alice", priorities: [0, 1, 2, 3, 4] },
    { requested_by: "basic:bob", priorities: [0, 1] },
  ]);
});

const limitsOfBatches = [
  { perMinute: 20, unfinished: 0, name: "per minute" },
  { perMinute: 120, unfinished: 20, name: "unfinished reports (with starts counted per second)" },
  { perMinute: 0, unfinished: 20, name: "unfinished reports" },
];
// In every run, limit-store.test.ts tests each limit alone.
test.for(isFullTestRun ? limitsOfBatches : limitsOfBatches.slice(1, 2))(
  "a limit of 20 $name allows 20 of 50 starts and returns the remaining quota",
  async (limits) => {
    await using opened = await openStore();
    const started = await many(50, async () => opened.start({}, undefined, limits));
    const refused = started.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(30);
    for (const reason of refused) expect(reason).toMatchObject({ name: "RateLimitedError" });
    const left = started.flatMap((each) =>
      each.status === "fulfilled" ? each.value.quotas!.find(({ limit }) => limit === 20)!.remaining : [],
    );
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    const [seen] = await opened.sql`select count(*)::int as reports from reports where requested_by <> all (${others})`;
    expect(seen).toEqual({ reports: 20 });
  },
);

test("concurrent starts with one idempotency key create one report, and others reject", async () => {
  await using opened = await openStore();
  const before = await opened.start({}, claim("used before", "something else"));
  const started = await many(9, async (index) =>
    opened.start({}, index < 5 ? claim(`key ${index}`) : claim(index < 8 ? "one key" : "used before")),
  );
  const ids = started.map((each) => (each.status === "fulfilled" ? each.value.report.id : null));
  expect(new Set(ids.slice(0, 5)).size).toBe(5);
  expect(new Set(ids.slice(5, 8)).size).toBe(1);
  expect(started[8]).toMatchObject({ status: "rejected", reason: { kind: "invalid" } });
  const again = await many(5, async (index) => opened.start({}, claim(`key ${index}`)));
  expect(again.map((each) => (each.status === "fulfilled" ? each.value.replayed : null))).toEqual(
    ids.slice(0, 5).map((id) => `answer ${id}`),
  );
  const [seen] =
    await opened.sql`select count(*)::int as reports, count(*) filter (where id = ${before.report.id})::int as before from reports where requested_by <> all (${others})`;
  expect(seen).toEqual({ reports: 7, before: 1 });
});

test("starts with the same coalesce key in one batch create one report", async () => {
  await using opened = await openStore();
  const started = await many(12, async (index) => opened.start({ coalesceKey: index < 4 ? "twins" : `key ${index}` }));
  const outcomes = started.map((each) => (each.status === "fulfilled" ? each.value : null));
  expect(new Set(outcomes.slice(0, 4).map((each) => each?.report.id)).size).toBe(1);
  expect(outcomes.filter((each) => each?.reused === true)).toHaveLength(3);
  const [seen] = await opened.sql`select count(*)::int as reports from reports where requested_by <> all (${others})`;
  expect(seen).toEqual({ reports: 9 });
});

test("a start that Postgres cannot store fails alone in its batch", async () => {
  await using opened = await openStore();
  const started = await many(6, async (index) => opened.start({ title: index === 3 ? "no text: \0" : "title" }));
  expect(started.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  const [seen] = await opened.sql`select count(*)::int as reports from reports where requested_by <> all (${others})`;
  expect(seen).toEqual({ reports: 5 });
});

test("a start that waits for another transaction's duplicate delays no later start", async () => {
  await using opened = await openStore();
  const duplicate = makeNewReport({ requestedBy: "basic:alice", coalesceKey: "twin" });
  const { begun } = await opened.sql.begin(async (tx) => {
    await tx`
      insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, coalesce_key)
      values (${duplicate.id}, 'PROXY', 1, 't', 'QUEUED', '{}', ${tx.json({ ...duplicate.options })}, 'basic:alice', 'waiting', 3, 'twin')`;
    const begun = [opened.start({ coalesceKey: "twin" }), opened.start()];
    await waitForBlockedSession(tx);
    await expect(opened.start()).resolves.toMatchObject({ reused: false });
    return { begun };
  });
  await expect(Promise.all(begun)).resolves.toMatchObject([
    { reused: true, report: { id: duplicate.id } },
    { reused: false },
  ]);
});

test("a start returns its duplicate even while another transaction has it locked", async () => {
  await using opened = await openStore();
  const { report: duplicate } = await opened.start({ coalesceKey: "twin" });
  await opened.sql.begin(async (tx) => {
    await tx`update reports set updated_at = now() where id = ${duplicate.id}`;
    const started = await many(3, async (index) =>
      opened.start({ coalesceKey: index === 1 ? "twin" : `key ${index}` }),
    );
    expect(started.map((each) => (each.status === "fulfilled" ? each.value.reused : each.reason))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

test("a start that waits for a locked idempotency key does not block its batch", async () => {
  await using opened = await openStore();
  await opened.start({}, claim("key 1"));
  const outcomes = await opened.sql.begin(async (tx) => {
    await tx`update idempotency_keys set created_at = created_at - interval '2 days'`;
    const begun = many(3, async (index) => opened.start({}, claim(`key ${index}`)));
    await expect
      .poll(async () => (await tx`select from reports where requested_by <> all (${others})`).length, {
        timeout: 30_000,
      })
      .toBe(3);
    return { begun };
  });
  expect((await outcomes.begun).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  const [seen] = await opened.sql`select count(*)::int as reports from reports where requested_by <> all (${others})`;
  expect(seen).toEqual({ reports: 4 });
});

test("starts that reuse an idempotency key for another request reject with DomainError", async () => {
  await using opened = await openStore();
  await opened.start({}, claim("key"));
  const started = await many(2, async () => opened.start({}, claim("key", "something else")));
  for (const each of started) expect(each.status === "rejected" ? each.reason : each).toBeInstanceOf(DomainError);
});
