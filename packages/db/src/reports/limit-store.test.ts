import { randomUUID } from "node:crypto";
import { RateLimitedError, type LoginLimits } from "@reports/core/caller";
import type { NewReport, StartLimits } from "@reports/core/report";
import { createTestDatabases, makeNewReport, otherOwnerPrincipals, isFullTestRun } from "@reports/testing";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { insertQueuedReports } from "./insert-queued-reports.ts";
import { createLoginThrottle, removeStaleRateWindows } from "./limit-store.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "./report-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

async function openTwo() {
  const clone = await cloneDatabase();
  const databases = [createDatabase({ url: clone.url }), createDatabase({ url: clone.url })] as const;
  return {
    databases,
    stores: databases.map((database) => createReportStore(database)),
    throttles: (limits: LoginLimits) => databases.map((database) => createLoginThrottle(database, limits)),
    passMinute: async () =>
      databases[0].query((queries) =>
        queries.execute(sql`
          update rate_windows set hits = array(select hit - interval '61 seconds' from unnest(hits) as hit), expires_at = now()`),
      ),
    async [Symbol.asyncDispose]() {
      await Promise.all(databases.map((database) => database.close()));
      await clone[Symbol.asyncDispose]();
    },
  };
}

function reportOf(requestedBy = "basic:alice", coalesceKey: string | null = null): NewReport {
  return makeNewReport({ requestedBy, coalesceKey });
}

async function startAtOnce(opened: Awaited<ReturnType<typeof openTwo>>, count: number, limits: StartLimits) {
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => opened.stores[index % 2]!.createQueued(reportOf(), limits)),
  );
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  return { started: count - refused.length, refused };
}

test("with a limit of 20 per minute, 20 of 40 concurrent starts at two APIs get a job", async () => {
  await using opened = await openTwo();
  const { started, refused } = await startAtOnce(opened, 40, { perMinute: 20, unfinished: 0 });
  expect(started).toBe(20);
  for (const error of refused) {
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({
      code: "too-many-starts",
      quotas: [{ name: "starts", limit: 20, remaining: 0, windowSeconds: 60 }],
    });
  }
  const [row] = await opened.databases[0].query((queries) =>
    queries.execute(
      sql`select (select count(*)::int from reports where requested_by <> all (${sql.param([...otherOwnerPrincipals])}::text[])) as reports, (select count(*)::int from report_queue.jobs) as jobs`,
    ),
  );
  expect(row).toEqual({ reports: 20, jobs: 20 });
});

// In every run, the test above counts the starts of two APIs, and the test below the starts of one second together.
test.runIf(isFullTestRun)(
  "with a limit of 120 per minute, 120 of 150 concurrent starts at two APIs succeed",
  async () => {
    await using opened = await openTwo();
    const limits = { perMinute: 120, unfinished: 0 };
    const { started, refused } = await startAtOnce(opened, 150, limits);
    expect(started).toBe(120);
    expect(refused[0]).toMatchObject({
      code: "too-many-starts",
      quotas: [{ name: "starts", limit: 120, remaining: 0, windowSeconds: 60 }],
    });
    const { retryAfterSeconds } = refused[0] as RateLimitedError;
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(61);
    const [row] = await opened.databases[0].query((queries) =>
      queries.execute(
        sql`select (select sum(count)::int from unnest(counts) as count) as hits, cardinality(hits) as seconds, cardinality(hits) = cardinality(counts) as paired from rate_windows`,
      ),
    );
    expect(row).toMatchObject({ hits: 120, paired: true });
    expect(row!["seconds"]).toBeLessThanOrEqual(61);
    await opened.passMinute();
    expect((await opened.stores[0]!.createQueued(reportOf(), limits)).quotas).toMatchObject([{ remaining: 119 }]);
  },
);

test("a changed start limit still counts earlier starts, at least one per second", async () => {
  await using opened = await openTwo();
  await startAtOnce(opened, 3, { perMinute: 3, unfinished: 0 });
  const start = async (perMinute: number) => opened.stores[0]!.createQueued(reportOf(), { perMinute, unfinished: 0 });
  expect((await start(1_000)).quotas).toMatchObject([{ name: "starts", limit: 1_000, remaining: 996 }]);
  expect((await start(1_000)).quotas).toMatchObject([{ remaining: 995 }]);
  await expect(start(1)).rejects.toMatchObject({ code: "too-many-starts" });
  expect((await start(90)).quotas![0]!.remaining).toBeGreaterThanOrEqual(80);
});

test("a start above the limit per minute is refused with the seconds until a retry", async () => {
  await using opened = await openTwo();
  await startAtOnce(opened, 3, { perMinute: 3, unfinished: 0 });
  const refusal: unknown = await opened.stores[0]!.createQueued(reportOf(), { perMinute: 3, unfinished: 0 }).catch(
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ code: "too-many-starts" });
  const { retryAfterSeconds } = refusal as RateLimitedError;
  expect(retryAfterSeconds).toBeGreaterThan(0);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
  await opened.passMinute();
  expect((await startAtOnce(opened, 4, { perMinute: 3, unfinished: 0 })).started).toBe(3);
});

test.each([{ perMinute: 20 }, { perMinute: 0 }])(
  "a limit of 5 unfinished reports allows 5 of 16 starts with $perMinute per minute",
  async ({ perMinute }) => {
    await using opened = await openTwo();
    const { started, refused } = await startAtOnce(opened, 16, { perMinute, unfinished: 5 });
    expect(started).toBe(5);
    expect(refused[0]).toMatchObject({
      code: "too-many-unfinished",
      quotas: [{ name: "unfinished", limit: 5, remaining: 0, windowSeconds: null }],
    });
  },
);

test("ending a report allows another start, and refused starts don't count per minute", async () => {
  await using opened = await openTwo();
  const limits = { perMinute: 3, unfinished: 1 };
  const { report } = await opened.stores[0]!.createQueued(reportOf(), limits);
  await startAtOnce(opened, 10, limits);
  await opened.stores[0]!.cancel(report.id, "basic:alice");
  const second = await opened.stores[1]!.createQueued(reportOf(), limits);
  expect(second.quotas).toMatchObject([
    { name: "starts", remaining: 1 },
    { name: "unfinished", remaining: 0 },
  ]);
});

test("a manual run of a schedule counts for its caller; a scheduled run for nobody", async () => {
  await using opened = await openTwo();
  const [database] = opened.databases;
  const store = opened.stores[0]!;
  const limits = { perMinute: 0, unfinished: 2 };
  const scheduleId = randomUUID();
  await database.query((queries) =>
    queries.execute(sql`
      insert into report_schedules (id, owner, name, report_type, definition_version, search_param, options, cron, timezone,
        missed, missed_within_seconds, overlap, status, tz_version, next_fire_at, counted_from)
      values (${scheduleId}, 'basic:owner', 'Daily', 'PROXY', 1, '{}', '{}', '0 6 * * *', 'UTC',
        'LATEST', 60, 'SKIP', 'ACTIVE', '2026a', now(), now())`),
  );
  const ofOwner = { ...reportOf("basic:owner"), scheduleId };
  await database.transaction(async (tx) => {
    for (let count = 0; count < 3; count++) await insertQueuedReports(tx, [{ ...ofOwner, id: randomUUID() }]);
  });
  const runByHand = async () =>
    store.createQueued({ ...ofOwner, id: randomUUID(), fireId: randomUUID(), countedFor: "basic:admin" }, limits);
  expect((await runByHand()).quotas).toMatchObject([{ name: "unfinished", remaining: 1 }]);
  const { report } = await runByHand();
  await expect(runByHand()).rejects.toMatchObject({ code: "too-many-unfinished" });
  await expect(store.createQueued(reportOf("basic:admin"), limits)).rejects.toMatchObject({
    code: "too-many-unfinished",
  });
  expect((await store.createQueued(reportOf("basic:owner"), limits)).quotas).toMatchObject([{ remaining: 1 }]);
  await store.cancel(report.id, "basic:admin");
  expect((await runByHand()).quotas).toMatchObject([{ remaining: 0 }]);
});

test("starts of one principal don't count against the limits of another", async () => {
  await using opened = await openTwo();
  const limits = { perMinute: 1, unfinished: 1 };
  await opened.stores[0]!.createQueued(reportOf("basic:alice"), limits);
  expect((await opened.stores[0]!.createQueued(reportOf("basic:bob"), limits)).reused).toBe(false);
});

test("a start that returns an earlier unfinished report counts against no limit", async () => {
  await using opened = await openTwo();
  const limits = { perMinute: 1, unfinished: 1 };
  const first = await opened.stores[0]!.createQueued(reportOf("basic:alice", "same"), limits);
  const again = await opened.stores[1]!.createQueued(reportOf("basic:alice", "same"), limits);
  expect(again).toMatchObject({ reused: true, report: { id: first.report.id } });
});

test("concurrent starts with the same coalesce key create one report and count once", async () => {
  await using opened = await openTwo();
  const limits = { perMinute: 2, unfinished: 1 };
  const starts = await Promise.all(
    Array.from({ length: 12 }, async (_, index) =>
      opened.stores[index % 2]!.createQueued(reportOf("basic:alice", "same"), limits),
    ),
  );
  expect(new Set(starts.map(({ report }) => report.id)).size).toBe(1);
  expect(starts.filter(({ reused }) => !reused)).toHaveLength(1);
  await opened.stores[0]!.cancel(starts[0]!.report.id, "basic:alice");
  const next = await opened.stores[0]!.createQueued(reportOf("basic:alice"), limits);
  expect(next.quotas).toMatchObject([
    { name: "starts", remaining: 0 },
    { name: "unfinished", remaining: 0 },
  ]);
});

test("with a limit of 10, two APIs refuse 30 of 40 concurrent failed logins", async () => {
  await using opened = await openTwo();
  const throttles = opened.throttles({ perAddress: 10, perAccount: 0 });
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, index) =>
      throttles[index % 2]!.countFailure({ address: "192.0.2.1", account: `user-${index}` }),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(10);
  expect(outcomes.find((outcome) => outcome !== null)).toMatchObject({
    by: "address",
    quota: { name: "login-failures", limit: 10, remaining: 0 },
  });
});

test("an address at its limit of failed logins is refused by every API for a minute", async () => {
  await using opened = await openTwo();
  const [one, other] = opened.throttles({ perAddress: 2, perAccount: 0 });
  const attempt = { address: "192.0.2.1", account: "alice" };
  expect(await one!.findExhausted(attempt)).toBeNull();
  await one!.countFailure(attempt);
  expect(await other!.findExhausted(attempt)).toBeNull();
  await one!.countFailure(attempt);
  expect(await other!.findExhausted(attempt)).toMatchObject({ by: "address" });
  expect(await other!.findExhausted({ ...attempt, address: "192.0.2.2" })).toBeNull();
  await opened.passMinute();
  expect(await other!.findExhausted(attempt)).toBeNull();
});

test("failed logins of an account count across addresses, without storing its name", async () => {
  await using opened = await openTwo();
  const [throttle] = opened.throttles({ perAddress: 10, perAccount: 3 });
  for (let index = 0; index < 3; index++)
    await throttle!.countFailure({ address: `192.0.2.${index}`, account: "alice" });
  expect(await throttle!.findExhausted({ address: "192.0.2.9", account: "alice" })).toMatchObject({ by: "account" });
  const rows = await opened.databases[0].query((queries) => queries.execute(sql`select key from rate_windows`));
  expect(JSON.stringify(rows)).not.toContain("alice");
});

test("removeStaleRateWindows removes expired rate windows and keeps the others", async () => {
  await using opened = await openTwo();
  const [throttle] = opened.throttles({ perAddress: 2, perAccount: 0 });
  await throttle!.countFailure({ address: "192.0.2.1", account: "alice" });
  await opened.passMinute();
  await throttle!.countFailure({ address: "192.0.2.2", account: "alice" });
  expect(await removeStaleRateWindows(opened.databases[0])).toBe(1);
  const rows = await opened.databases[0].query((queries) => queries.execute(sql`select key from rate_windows`));
  expect(rows.map(({ key }) => key)).toEqual(["login-address:192.0.2.2"]);
});
