import { randomBytes } from "node:crypto";
import { createScheduleCalendar } from "@reports/calendar";
import { builtInReportTypes, createCatalogue, type ReportCatalogue } from "@reports/core/report";
import { changeSchedule, createSchedule, type Schedule } from "@reports/core/schedule";
import {
  createDatabase,
  createDueScheduleStore,
  createListConnectionPool,
  createDatabaseRoles,
  createScheduleReader,
  createScheduleStore,
  databaseRoles,
  migrateDatabase,
} from "@reports/db";
import { createLogger, createMetrics, newId } from "@reports/runtime";
import { createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { readWorkerConfig } from "../config.ts";
import { createReportMetrics } from "../tasks/report-metrics.ts";
import { composeScheduleRunner } from "./compose-schedule-runner.ts";
import { createScheduleMetrics } from "./schedule-metrics.ts";

const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const proxies = builtInReportTypes.find(({ type }) => type === "PROXY")!;
const older = createCatalogue([proxies]);
const newer = createCatalogue([
  {
    ...proxies,
    version: proxies.version + 1,
    filters: proxies.filters.filter(({ name }) => name !== "health"),
    prominentFilters: [],
  },
]);
const unfitBody = {
  name: "Proxies that are down",
  reportType: "PROXY",
  searchParam: { health: ["DOWN"] },
  // The pattern has one time per year, about six months from now, so no run becomes due during the test.
  cron: `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`,
};

async function open() {
  const clone = await cloneDatabase();
  await createDatabaseRoles({ databaseUrl: clone.url });
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const user = `test_${randomBytes(6).toString("hex")}`;
  await owner.unsafe(`create role ${user} login password 'secret' in role ${databaseRoles.worker}`);
  const url = new URL(clone.url);
  [url.username, url.password] = [user, "secret"];
  const database = createDatabase({ url: clone.url });
  const workerDatabase = createDatabase({ url: url.href });
  const lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: 3_000 });
  const store = createScheduleStore(database, lists);
  const deps = (catalogue: ReportCatalogue) => ({
    schedules: store,
    calendar: createScheduleCalendar(),
    catalogue,
    filterValues: { findUnknown: async () => [] },
    minMinutes: 0,
    newId,
    now: () => new Date(),
  });
  const caller = { principalId: "basic:alice", requiredAuthority: "REPORT_PROXY" };
  return {
    sql: owner,
    workerDatabase,
    read: async ({ id }: Schedule) => (await store.find(id))!,
    create: async (catalogue: ReportCatalogue, body: object = unfitBody) =>
      createSchedule(deps(catalogue), caller, catalogue.find("PROXY")!, body),
    async patch(catalogue: ReportCatalogue, schedule: Schedule, body: object) {
      const actor = { ...caller, authorities: new Set(["REPORT_PROXY"]), precondition: () => undefined };
      return changeSchedule(deps(catalogue), actor, schedule, { method: "PATCH", body });
    },
    async makeDue({ id }: Schedule) {
      await owner`update report_schedules set next_fire_at = now() - interval '1 second' where id = ${id}`;
    },
    async countRuns({ id }: Schedule) {
      return (await owner`select id from report_schedule_fires where schedule_id = ${id}`).length;
    },
    startWorker(catalogue: ReportCatalogue, compareEveryMs = 0) {
      const metrics = createMetrics();
      const check = composeScheduleRunner({
        database: workerDatabase,
        sourceDatabases: new Map(),
        catalogue,
        compareEveryMs,
        logger: createLogger({ name: "test", level: "silent" }),
        metrics: createScheduleMetrics(metrics, createReportMetrics(metrics, []).counters),
        limits: readWorkerConfig({ DATABASE_URL: "postgres://unused", STORAGE_DIR: "/unused" }),
      });
      return { check: async () => check(new AbortController().signal), metrics };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([database, lists, workerDatabase].map((each) => each.close()));
      await owner.unsafe(`drop role ${user}`);
      await owner.end();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test("a newer worker pauses an unfit schedule before it is due and sends an event", async () => {
  await using parts = await open();
  await parts.sql`
    insert into webhooks (id, owner, owner_authorities, url, events, of_whom, secret)
    values (${newId()}, 'basic:alice', '{REPORT_PROXY}', 'https://receiver.example/', '{schedule.paused}', 'OWN', 'sealed')`;
  const schedule = await parts.create(older);
  const fitting = await parts.create(older, { ...unfitBody, searchParam: {} });
  await parts.startWorker(older).check();
  expect(await parts.read(schedule)).toMatchObject({ status: "ACTIVE", pausedBecause: null });
  const worker = parts.startWorker(newer);
  for (let round = 0; round < 2; round++) await worker.check();
  expect(await parts.read(schedule)).toMatchObject({
    status: "PAUSED",
    pausedBecause: "INVALID_PARAMETERS",
    nextFireAt: null,
  });
  expect((await parts.read(fitting)).status).toBe("ACTIVE");
  expect(await parts.sql`select type, data from webhook_deliveries`).toEqual([
    { type: "schedule.paused", data: { scheduleId: schedule.id, because: "INVALID_PARAMETERS" } },
  ]);
  const { body } = await worker.metrics.render();
  expect(body).toContain('reports_schedules_paused_total{because="INVALID_PARAMETERS"} 1\n');
  await parts.startWorker(older).check();
  expect((await parts.read(schedule)).status).toBe("PAUSED");
});

test("a schedule that cannot be compared with its report type stops no other schedule", async () => {
  await using parts = await open();
  const unknownZone = await parts.create(older, { ...unfitBody, searchParam: { createdFrom: "today" } });
  await parts.sql`update report_schedules set timezone = 'Mars/Olympus' where id = ${unknownZone.id}`;
  const [due, unfit] = [await parts.create(older, { ...unfitBody, searchParam: {} }), await parts.create(older)];
  await parts.makeDue(due);
  const worker = parts.startWorker(newer);
  await worker.check();
  expect(await parts.countRuns(due)).toBe(1);
  expect((await parts.read(unfit)).status).toBe("PAUSED");
});

test("schedules run if the comparison fails, which is repeated only after its interval", async () => {
  await using parts = await open();
  const due = await parts.create(older, { ...unfitBody, searchParam: {} });
  await parts.makeDue(due);
  let asked = 0;
  const find: ReportCatalogue["find"] = (type) => {
    if (asked++ === 0) throw new Error("comparison failed");
    return newer.find(type);
  };
  const worker = parts.startWorker({ ...newer, find }, 600_000);
  await worker.check();
  expect(await parts.countRuns(due)).toBe(1);
  const before = asked;
  await worker.check();
  expect(asked).toBe(before);
});

test("an older worker never pauses a schedule that was stored by a newer API", async () => {
  await using parts = await open();
  const schedule = await parts.create(newer, { ...unfitBody, searchParam: {} });
  // Simulates a schedule of a newer API, with a filter that the older report type lacks.
  await parts.sql`update report_schedules set search_param = '{"newFilter": ["x"]}' where id = ${schedule.id}`;
  for (const catalogue of [older, newer]) await parts.startWorker(catalogue).check();
  expect((await parts.read(schedule)).status).toBe("ACTIVE");
});

test("an unfit schedule that its owner changes during the comparison is not paused", async () => {
  await using parts = await open();
  const schedule = await parts.create(older);
  const due = createDueScheduleStore(parts.workerDatabase);
  await parts.patch(newer, schedule, { searchParam: { health: null } });
  expect(await due.pauseUnfit(schedule)).toBe(false);
  const saved = await parts.read(schedule);
  await parts.sql`update report_schedules set definition_version = definition_version + 1 where id = ${schedule.id}`;
  expect(await due.pauseUnfit(saved)).toBe(false);
  expect((await parts.read(schedule)).status).toBe("ACTIVE");
});

test("the comparison reads each readable schedule once, except manually paused ones", async () => {
  await using parts = await open();
  const schedule = await parts.create(older);
  const unreadable = await parts.create(older);
  const paused = await parts.create(older);
  await parts.patch(older, paused, { status: "PAUSED" });
  await parts.sql.begin(async (tx) => {
    await tx`create temp table copies on commit drop as 
      select s.* from report_schedules s, generate_series(1, 229) where s.id = ${schedule.id}`;
    await tx`update copies set id = gen_random_uuid()`;
    await tx`insert into report_schedules select * from copies`;
  });
  await parts.sql`update report_schedules set options = '[]' where id = ${unreadable.id}`;
  const pages: string[][] = [];
  for await (const page of createScheduleReader(parts.workerDatabase).pages(new AbortController().signal))
    pages.push(page.map(({ id }) => id));
  const ids = pages.flat();
  expect(pages).toHaveLength(3);
  expect([ids.length, new Set(ids).size, ids.includes(schedule.id)]).toEqual([230, 230, true]);
});
