import { randomBytes } from "node:crypto";
import { createScheduleCalendar } from "@reports/calendar";
import { builtInReportTypes, createCatalogue, startReport, unguardedStarts } from "@reports/core/report";
import {
  changeSchedule,
  createSchedule,
  runDueSchedules,
  readScheduledStart,
  type RunDueSchedulesDeps,
  type Schedule,
} from "@reports/core/schedule";
import type { ReportLane } from "@reports/core/base";
import {
  createDatabase,
  createDueScheduleStore,
  createListConnectionPool,
  createReportStore,
  createRetentionStore,
  createDatabaseRoles,
  createScheduleStore,
  databaseRoles,
  migrateDatabase,
} from "@reports/db";
import { createLogger, createMetrics, newId } from "@reports/runtime";
import { createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readWorkerConfig } from "../config.ts";
import { deleteAllRows } from "../test/delete-all-rows.ts";
import { composeScheduleRunner } from "./compose-schedule-runner.ts";
import { createReportMetrics } from "../tasks/report-metrics.ts";
import { createScheduleMetrics } from "./schedule-metrics.ts";

// A worker runs the schedules of all owners, and these tests count runs, so the database contains no others.
const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const calendar = createScheduleCalendar();
const catalogue = createCatalogue(builtInReportTypes);
const definition = catalogue.find("PROXY")!;
/** A cron pattern with one time per year, about six months from now, so that no run becomes due during a test. */
const seldom = `0 0 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`;

let parts: Awaited<ReturnType<typeof open>>;

async function open() {
  const clone = await cloneDatabase();
  await createDatabaseRoles({ databaseUrl: clone.url });
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const user = `test_${randomBytes(6).toString("hex")}`;
  await owner.unsafe(`create role ${user} login password 'secret' in role ${databaseRoles.worker}`);
  const url = new URL(clone.url);
  [url.username, url.password] = [user, "secret"];
  const database = createDatabase({ url: clone.url });
  const lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: 3_000 });
  const workers = [createDatabase({ url: url.href }), createDatabase({ url: url.href })];
  return {
    sql: owner,
    store: createScheduleStore(database, lists),
    reports: createReportStore(database),
    retention: createRetentionStore(database),
    workers: workers.map(createDueScheduleStore),
    workerDatabase: workers[0]!,
    async [Symbol.asyncDispose]() {
      await Promise.all([database, lists, ...workers].map((each) => each.close()));
      await owner.unsafe(`drop role ${user}`);
      await owner.end();
      await clone[Symbol.asyncDispose]();
    },
  };
}

beforeAll(async () => (parts = await open()));
afterAll(async () => parts[Symbol.asyncDispose]());
beforeEach(async () => {
  await parts.sql`delete from report_queue_quick._private_jobs`;
  await deleteAllRows(parts.sql, ["reports", "report_schedules", "webhooks"]);
  await parts.sql`delete from users`;
  await parts.sql`
    insert into users (name, password_hash, authorities)
    values ('alice', 'none', '{REPORT_PROXY}'), ('bert', 'none', '{REPORT_PROXY}')`;
});

const filterValues = { findUnknown: async () => [] };
const deps = () => ({
  schedules: parts.store,
  calendar,
  catalogue,
  filterValues,
  minMinutes: 0,
  newId,
  now: () => new Date(),
});

async function make(body: object = {}, owner = "basic:alice", ownerName: string | null = null): Promise<Schedule> {
  const whole = { name: "Once a year", reportType: "PROXY", cron: seldom, options: { format: "csv" }, ...body };
  const by = { principalId: owner, principalName: ownerName, requiredAuthority: "REPORT_PROXY" };
  return createSchedule(deps(), by, definition, whole);
}

async function setDue({ id }: Schedule, secondsAgo = 1): Promise<void> {
  await parts.sql`update report_schedules set next_fire_at = now() - make_interval(secs => ${secondsAgo}) where id = ${id}`;
}

async function tick(changes: Partial<RunDueSchedulesDeps> = {}, worker = 0): Promise<void> {
  const failures: unknown[] = [];
  await runDueSchedules(
    {
      schedules: parts.workers[worker]!,
      calendar,
      catalogue,
      newId,
      chooseLane: async () => "quick",
      overloadedLanes: async () => new Set<ReportLane>(),
      confirmDays: 90,
      onRun: () => undefined,
      onFailing: () => undefined,
      onFailure: (_, error) => failures.push(error),
      ...changes,
    },
    new AbortController().signal,
  );
  expect(failures).toEqual([]);
}

const fires = async () =>
  parts.sql<
    { outcome: string; because: string | null; report_id: string | null; count: number; scheduled_for: Date }[]
  >`
    select outcome, because, report_id, count, scheduled_for from report_schedule_fires order by scheduled_for`;
const outcomes = async (): Promise<string[]> =>
  (await fires()).map(({ outcome, because, count }) =>
    [outcome, because, count > 1 ? count : null].filter((part) => part !== null).join(" "),
  );
const read = async ({ id }: Schedule): Promise<Schedule> => (await parts.store.find(id))!;
const actor = (principalId = "basic:alice", authorities = ["REPORT_PROXY"]) => ({
  principalId,
  authorities: new Set(authorities),
  precondition: () => undefined,
});
const isWholeMinute = (time: Date): boolean => time.getTime() % 60_000 === 0;
const resume = async (schedule: Schedule, by = actor()): Promise<Schedule> =>
  changeSchedule(deps(), by, schedule, { method: "PATCH", body: { status: "ACTIVE" } });

describe("a run of a schedule", () => {
  test("concurrent workers run each due schedule once, with one report and job", async () => {
    const schedules = await Promise.all(Array.from({ length: 20 }, () => make({}, `iss|${newId()}`)));
    for (const schedule of schedules) await setDue(schedule);
    await Promise.all(Array.from({ length: 10 }, (_, index) => tick({}, index % 2)));
    await tick();
    expect(await outcomes()).toEqual(schedules.map(() => "STARTED"));
    const [counts] = await parts.sql`
      select (select count(*)::int from reports) as reports, (select count(distinct schedule_id)::int from reports) as of_schedules,
        (select count(*)::int from report_events) as events, (select count(*)::int from report_queue.jobs) as jobs`;
    expect(counts).toEqual({ reports: 20, of_schedules: 20, events: 20, jobs: 20 });
    const after = await read(schedules[0]!);
    expect(after.nextFireAt!.getTime()).toBeGreaterThan(Date.now());
    expect(after.lastFire).toMatchObject({ outcome: "STARTED" });
    expect(after).toMatchObject({ revision: 1, fires: 1 });
  });

  test("after a clock jump is corrected, skipped times run, but started times do not", async () => {
    // The first run is 12 hours from now, so that it does not become due during the test.
    const first = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 12 * 3_600_000);
    const day = (days: number): string => new Date(first.getTime() + days * 86_400_000).toISOString();
    const cron = `${first.getUTCMinutes()} ${first.getUTCHours()} * * *`;
    const schedule = await make({
      cron,
      timezone: "UTC",
      overlap: "ALLOW",
      missed: "LATEST",
      missedWithinSeconds: 86_400,
    });
    // Makes the records that remain after a clock was days ahead: the run of `day(1)` started a report, and those of `day(0)` and `day(2)` were
    // skipped.
    await setDue(schedule);
    await tick();
    await parts.sql`update report_schedule_fires set scheduled_for = ${day(1)}`;
    for (const days of [0, 2])
      await parts.sql`
        insert into report_schedule_fires (id, schedule_id, scheduled_for, outcome, because)
        values (${newId()}, ${schedule.id}, ${day(days)}, 'SKIPPED', 'MISSED')`;
    await parts.sql`update report_schedules set next_fire_at = ${day(3)}, counted_from = ${day(2)} where id = ${schedule.id}`;
    await tick();
    expect((await read(schedule)).nextFireAt!.toISOString()).toBe(day(0));
    expect(await outcomes()).toEqual(["STARTED"]);
    // Moves all times `days` back, so that one of them is due. Returns the number of reports after the worker has run the due schedules.
    const come = async (days: number) => {
      await parts.sql`update report_schedule_fires set scheduled_for = scheduled_for - make_interval(days => ${days})`;
      await parts.sql`update report_schedules set next_fire_at = ${day(-1)} where id = ${schedule.id}`;
      await tick();
      return parts.sql`select count(*)::int as reports from reports`;
    };
    expect(await come(0)).toEqual([{ reports: 2 }]);
    await parts.sql`delete from report_schedule_fires where scheduled_for < ${day(0)}`;
    expect(await come(2)).toEqual([{ reports: 2 }]);
  });

  test("relative times are resolved at the time of the run, in the schedule's zone", async () => {
    const schedule = await make({
      searchParam: { createdFrom: "today", health: "DOWN" },
      timezone: "Asia/Tokyo",
      missedWithinSeconds: 604_800,
    });
    // Two days ago: exactly one time was missed, because only the latest of several missed times starts a report.
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    await parts.sql`update report_schedules set next_fire_at = ${`${day}T15:30:00Z`}::timestamptz where id = ${schedule.id}`;
    await tick();
    const [fire] = await fires();
    expect(await parts.reports.find(fire!.report_id!)).toMatchObject({
      requestedBy: "basic:alice",
      scheduleId: schedule.id,
      searchParam: { createdFrom: `${day}T15:00:00Z`, health: ["DOWN"] },
      searchParamGiven: { createdFrom: "today", health: ["DOWN"] },
      options: { format: "csv", timezone: "Asia/Tokyo" },
    });
    expect(await parts.reports.listEvents(fire!.report_id!)).toMatchObject([
      { from: null, to: "QUEUED", actor: `schedule:${schedule.id}` },
    ]);
  });

  test("a relative day is the day of each run in the schedule's zone", async () => {
    const dayFrom = {
      name: "dayFrom",
      operator: "from",
      value: "date",
      columns: ["createdAt"],
      description: "Day.",
    } as const;
    const dated = { ...definition, filters: [...definition.filters, dayFrom] };
    const given = { searchParam: { dayFrom: "thisMonth-P1D" }, timezone: "Asia/Tokyo", missedWithinSeconds: 604_800 };
    const by = { principalId: "basic:alice", principalName: null, requiredAuthority: "REPORT_PROXY" };
    const body = { name: "Daily", reportType: "PROXY", cron: seldom, options: { format: "csv" }, ...given };
    const schedule = await createSchedule(deps(), by, dated, body);
    const begun = new Date(Date.now() - 2 * 86_400_000);
    const run = `${begun.toISOString().slice(0, 10)}T15:30:00Z`;
    await parts.sql`update report_schedules set next_fire_at = ${run}::timestamptz where id = ${schedule.id}`;
    await tick({ catalogue: createCatalogue([dated]) });
    // At the time of the run, it is 00:30 of the next day in Tokyo.
    const inTokyo = new Date(Date.parse(run) + 9 * 3_600_000);
    const day = new Date(Date.UTC(inTokyo.getUTCFullYear(), inTokyo.getUTCMonth(), 0)).toISOString().slice(0, 10);
    const [fire] = await fires();
    expect(await parts.reports.find(fire!.report_id!)).toMatchObject({
      searchParam: { dayFrom: day },
      searchParamGiven: { dayFrom: "thisMonth-P1D" },
    });
  });

  test("reports carry the owner's name as of the owner's last change of the schedule", async () => {
    const ann = "iss|5f7c8ec7";
    const schedule = await make({ overlap: "ALLOW" }, ann, "Ann Example");
    const names: unknown[] = [];
    const fire = async (): Promise<void> => {
      await setDue(schedule);
      await tick();
      const [row] = await parts.sql`select requested_by, requester_name from reports order by id desc limit 1`;
      names.push([row!["requested_by"], row!["requester_name"]]);
    };
    const change = async (principalId: string, principalName: string, body: object): Promise<Schedule> =>
      changeSchedule(deps(), { ...actor(principalId), principalName }, schedule, { method: "PATCH", body });
    await fire();
    await change("iss|other", "Ann Other", { name: "Every year" });
    await fire();
    await change(ann, "Ann Married", { name: "Once a year" });
    await fire();
    expect(names).toEqual([
      [ann, "Ann Example"],
      [ann, "Ann Example"],
      [ann, "Ann Married"],
    ]);
  });

  test("runs are due by Postgres's clock, even if the clocks of workers are wrong", async () => {
    const [due, later] = [await make(), await make()];
    await setDue(due);
    await setDue(later, -300);
    for (const minutes of [10, -10]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
      try {
        await tick();
      } finally {
        vi.useRealTimers();
      }
    }
    expect(await outcomes()).toEqual(["STARTED"]);
    expect((await read(later)).fires).toBe(0);
  });

  test("a run is not repeated if the schedule's next time is set back to that of the run", async () => {
    const schedule = await make();
    await setDue(schedule, 30);
    const [row] = await parts.sql`select next_fire_at from report_schedules`;
    await tick();
    await parts.sql`update report_schedules set next_fire_at = ${row!["next_fire_at"] as Date}`;
    await parts.sql`update reports set status = 'CANCELLED'`;
    await tick();
    expect((await fires()).filter(({ outcome }) => outcome === "STARTED")).toHaveLength(1);
    expect(await parts.sql`select from reports`).toHaveLength(1);
  });

  test("a manual run in the same millisecond does not replace a scheduled run", async () => {
    const schedule = await make({ overlap: "ALLOW" });
    // The trigger sets the creation time of the first new report to a full minute, the time of the scheduled run. A rollback does not reset the
    // sequence.
    await parts.sql.unsafe(`
      create sequence tries;
      create function on_the_minute() returns trigger language plpgsql as $$ begin
        if nextval('tries') = 1 then new.created_at := date_trunc('minute', now()); end if;
        return new;
      end $$;
      create trigger on_the_minute before insert on reports for each row execute function on_the_minute()`);
    const start = readScheduledStart(definition, schedule, new Date());
    const { report } = await startReport(
      { ...unguardedStarts, reports: parts.reports, newId },
      {
        principalId: "basic:alice",
        requiredAuthority: "REPORT_PROXY",
        coalesce: false,
        traceparent: null,
        scheduleRun: { id: newId(), scheduleId: schedule.id, owner: "basic:alice" },
      },
      start,
    );
    await parts.sql.unsafe("drop trigger on_the_minute on reports; drop function on_the_minute; drop sequence tries");
    await parts.sql`update report_schedules set next_fire_at = date_trunc('minute', ${report.createdAt}::timestamptz)`;
    await tick();
    const [fired, byHand] = await fires();
    expect(fired).toMatchObject({ outcome: "STARTED", scheduled_for: expect.toSatisfy(isWholeMinute) });
    expect(byHand).toMatchObject({ outcome: "STARTED", report_id: report.id, scheduled_for: report.createdAt });
    expect(isWholeMinute(report.createdAt)).toBe(false);
    expect(await parts.sql`select from reports`).toHaveLength(2);
  });

  test("after the last run before endsAt, the schedule is ENDED", async () => {
    const schedule = await make({ cron: "* * * * *", endsAt: new Date(Date.now() + 90_000).toISOString() });
    // `ends_at` is now, so a minute that begins during the test starts no second run.
    await parts.sql`update report_schedules set next_fire_at = date_trunc('minute', now()), ends_at = now()`;
    await tick();
    const ended = await read(schedule);
    expect(ended).toMatchObject({ status: "ENDED", nextFireAt: null, revision: schedule.revision + 1 });
    expect(ended.updatedAt > schedule.updatedAt).toBe(true);
    expect(await outcomes()).toEqual(["STARTED"]);
  });
});

describe("runs that were missed for four hours", () => {
  /** Makes an hourly schedule whose last time was 30 minutes ago, so that no other time becomes due during a test. */
  const missedHours = async (body: object): Promise<Schedule> => {
    const latest = new Date(Math.floor(Date.now() / 60_000 - 30) * 60_000);
    const schedule = await make({ cron: `${latest.getUTCMinutes()} * * * *`, ...body });
    await parts.sql`update report_schedules set next_fire_at = ${latest}::timestamptz - interval '4 hours'`;
    return schedule;
  };

  test("missed=LATEST starts the newest missed run once and records the others", async () => {
    await missedHours({ missed: "LATEST" });
    await tick();
    await tick();
    expect(await outcomes()).toEqual([
      "SKIPPED MISSED",
      "SKIPPED MISSED",
      "SKIPPED MISSED",
      "SKIPPED MISSED",
      "STARTED",
    ]);
  });

  test("missed=LATEST starts no run that is older than missedWithinSeconds", async () => {
    await missedHours({ missed: "LATEST", cron: seldom, missedWithinSeconds: 3_600 });
    await tick();
    expect(await outcomes()).toEqual(["SKIPPED MISSED"]);
  });

  test("missed=SKIP starts none of the missed runs", async () => {
    const schedule = await missedHours({ missed: "SKIP" });
    await tick();
    expect(new Set(await outcomes())).toEqual(new Set(["SKIPPED MISSED"]));
    expect((await read(schedule)).nextFireAt!.getTime()).toBeGreaterThan(Date.now());
  });

  test("100 missed runs get their own records, and the others share one", async () => {
    const schedule = await make({ cron: "* * * * *", missedWithinSeconds: 0, missed: "SKIP" });
    await parts.sql`update report_schedules set next_fire_at = date_trunc('minute', now()) - interval '240 minutes' where id = ${schedule.id}`;
    await tick();
    const rows = (await fires()).filter(({ because }) => because === "MISSED");
    expect(rows).toHaveLength(101);
    // 241 minutes were missed if a minute began during the test, else 240. The last record counts all others.
    expect([140, 141]).toContain(rows.at(-1)!.count);
  });
});

test("after the retention of records, runs are removed and their schedules are kept", async () => {
  const schedule = await make();
  await setDue(schedule);
  await tick();
  await parts.sql`update reports set status = 'CANCELLED'`;
  await setDue(schedule);
  await tick();
  await parts.sql`update report_schedule_fires set fired_at = now() - interval '91 days' where report_id = (select min(id::text)::uuid from reports)`;
  expect(await parts.retention.removeOldRuns(90 * 86_400_000, 500)).toBe(1);
  expect(await outcomes()).toEqual(["STARTED"]);
  expect((await read(schedule)).status).toBe("ACTIVE");
});

describe("runs that have to wait", () => {
  test("an unfinished report skips its schedule's next run; overlap=ALLOW permits three", async () => {
    const [skips, allows] = [await make(), await make({ overlap: "ALLOW" }, "iss|bob")];
    for (let round = 0; round < 4; round++) {
      await setDue(skips);
      await setDue(allows);
      await tick();
    }
    const count = async ({ id }: Schedule) =>
      (
        await parts.sql`select outcome, because, count(*)::int from report_schedule_fires where schedule_id = ${id} group by 1, 2 order by 1, 2`
      ).map(Object.values);
    expect(await count(skips)).toEqual([
      ["SKIPPED", "PREVIOUS_STILL_RUNNING", 3],
      ["STARTED", null, 1],
    ]);
    expect(await count(allows)).toEqual([
      ["SKIPPED", "PREVIOUS_STILL_RUNNING", 1],
      ["STARTED", null, 3],
    ]);
  });

  test("a run waits while its lane is overloaded, at most missedWithinSeconds", async () => {
    const schedule = await make({ cron: "0 0 1 1 *", missed: "SKIP", missedWithinSeconds: 600 });
    const overloadedLanes = async () => new Set<ReportLane>(["quick"]);
    await setDue(schedule);
    await tick({ overloadedLanes });
    expect(await outcomes()).toEqual([]);
    await tick({ overloadedLanes: async () => new Set<ReportLane>(["bulk"]) });
    expect(await outcomes()).toEqual(["STARTED"]);
    await parts.sql`update reports set status = 'CANCELLED'`;
    await setDue(schedule);
    await tick({ overloadedLanes });
    await parts.sql`update report_schedules set next_fire_at = next_fire_at - interval '601 s', held_for = held_for - interval '601 s'`;
    await tick({ overloadedLanes });
    expect((await outcomes()).sort()).toEqual(["SKIPPED OVERLOADED", "STARTED"]);
  });

  test("100 schedules that wait for an overloaded lane do not delay other schedules", async () => {
    const waiting = await make({ options: { format: "xlsx" } });
    await setDue(waiting, 30);
    await parts.sql`
      insert into report_schedules
      select (jsonb_populate_record(waiting, jsonb_build_object('id', gen_random_uuid()))).*
      from report_schedules as waiting, generate_series(2, 100)`;
    const other = await make({}, "basic:bert");
    await setDue(other);
    await tick({
      chooseLane: async ({ options }) => (options.format === "xlsx" ? "bulk" : "quick"),
      overloadedLanes: async () => new Set<ReportLane>(["bulk"]),
    });
    expect((await read(other)).lastFire).toMatchObject({ outcome: "STARTED" });
    expect((await read(waiting)).lastFire).toBeNull();
    expect(await outcomes()).toEqual(["STARTED"]);
  });

  test("a run that is due while its schedule is edited precedes the edit or is dropped", async () => {
    for (let round = 0; round < 10; round++) {
      const schedule = await make();
      await setDue(schedule);
      const edit = changeSchedule(deps(), actor(), schedule, { method: "PATCH", body: { cron: "0 12 1 1 *" } });
      const [edited] = await Promise.all([edit, tick()]);
      const after = await read(schedule);
      expect(after.lastFire).toEqual(edited.lastFire);
      expect(after).toMatchObject({ cron: "0 12 1 1 *", fires: edited.lastFire === null ? 0 : 1 });
      expect(after.nextFireAt!.getUTCMonth()).toBe(0);
      await parts.store.remove(schedule.id, () => undefined);
    }
  });
});

describe("rights of the owner", () => {
  test("a schedule is paused if its owner loses the authority, until it is resumed", async () => {
    const schedule = await make();
    await parts.sql`update users set authorities = '{}'`;
    await setDue(schedule);
    await tick();
    expect(await read(schedule)).toMatchObject({
      status: "PAUSED",
      pausedBecause: "AUTHORITY_REVOKED",
      nextFireAt: null,
    });
    await parts.sql`update users set authorities = '{REPORT_PROXY}'`;
    await tick();
    expect(await outcomes()).toEqual(["REFUSED AUTHORITY_REVOKED"]);
    const resumed = await resume(schedule);
    expect(resumed).toMatchObject({ status: "ACTIVE", pausedBecause: null });
    await setDue(resumed);
    await tick();
    expect(await outcomes()).toEqual(["REFUSED AUTHORITY_REVOKED", "STARTED"]);
  });

  test("webhooks are notified of a pause by the service, but not of a manual pause", async () => {
    await parts.sql`
      insert into webhooks (id, owner, owner_authorities, url, events, of_whom, secret)
      values (${newId()}, 'basic:alice', '{}', 'https://receiver.example/', '{schedule.paused,report.cancelled}', 'OWN', 'sealed')`;
    const [byService, bySomebody] = [await make(), await make()];
    await setDue(byService);
    await tick();
    const [fire] = await fires();
    await parts.reports.cancel(fire!.report_id!, "basic:alice");
    await changeSchedule(deps(), actor(), bySomebody, { method: "PATCH", body: { status: "PAUSED" } });
    await parts.sql`update users set authorities = '{}'`;
    await setDue(byService);
    await tick();
    const deliveries =
      await parts.sql`select type, data, status, report_id from webhook_deliveries order by created_at`;
    const scheduleId = byService.id;
    expect(deliveries).toMatchObject([
      { type: "report.cancelled", data: { id: fire!.report_id, scheduleId }, status: "PENDING" },
      {
        type: "schedule.paused",
        data: { scheduleId, because: "AUTHORITY_REVOKED" },
        status: "PENDING",
        report_id: null,
      },
    ]);
  });

  test("a schedule is paused if the token of its owner was not seen for too long", async () => {
    const [seen, unseen] = [await make({}, "iss|bob"), await make({}, "iss|carol")];
    await parts.sql`update report_schedules set confirmed_at = now() - interval '91 days'`;
    expect(await parts.store.confirmOwner("iss|bob", ["REGISTRY_READ"])).toBe(0);
    expect(await parts.store.confirmOwner("iss|bob", ["REPORT_PROXY"])).toBe(1);
    expect(await parts.store.confirmOwner("iss|bob", ["REPORT_PROXY"])).toBe(0);
    await setDue(seen);
    await setDue(unseen);
    await tick();
    expect(await read(seen)).toMatchObject({ status: "ACTIVE", lastFire: { outcome: "STARTED" } });
    expect(await read(unseen)).toMatchObject({ status: "PAUSED", pausedBecause: "OWNER_NOT_SEEN" });
    const again = await resume(unseen, actor("iss|carol"));
    await setDue(again);
    await tick();
    expect((await read(again)).lastFire).toMatchObject({ outcome: "STARTED" });
  });

  test("five permanent failures in a row pause a schedule, and a resume resets the count", async () => {
    const schedule = await make({ overlap: "ALLOW" });
    const fail = async (retryable: boolean) => {
      await setDue(schedule);
      await tick();
      await parts.sql`update reports set status = 'FAILED', error_code = 'INVALID_DATA', error_retryable = ${retryable} where status = 'QUEUED'`;
    };
    for (let round = 0; round < 4; round++) await fail(false);
    await fail(true);
    for (let round = 0; round < 5; round++) {
      await tick();
      expect(await read(schedule)).toMatchObject({ status: "ACTIVE" });
      await fail(false);
    }
    const paused: string[] = [];
    await tick({ onFailing: (id) => paused.push(id) });
    expect(paused).toEqual([schedule.id]);
    expect(await read(schedule)).toMatchObject({
      status: "PAUSED",
      pausedBecause: "KEEPS_FAILING",
      nextFireAt: null,
      lastFire: { outcome: "STARTED" },
    });
    const again = await resume(schedule);
    await setDue(again);
    await tick();
    expect((await read(again)).lastFire).toMatchObject({ outcome: "STARTED" });
  });

  test("a run is refused if the type requires a filter that the schedule lacks", async () => {
    const schedule = await make();
    const filters = definition.filters.map((filter) =>
      filter.name === "health" ? { ...filter, required: true as const } : filter,
    );
    const raised = createCatalogue([{ ...definition, version: definition.version + 1, filters }]);
    await setDue(schedule);
    await tick({ catalogue: raised });
    expect(await outcomes()).toEqual(["REFUSED INVALID_PARAMETERS"]);
    expect(await read(schedule)).toMatchObject({ status: "ACTIVE" });
    expect(() => readScheduledStart(raised.find("PROXY")!, schedule, new Date())).toThrow(
      "The filter health is required; it must be one of",
    );
  });

  test("a worker skips a schedule of an unknown type, and pauses it after 15 minutes", async () => {
    const schedule = await make();
    const others = { catalogue: createCatalogue(builtInReportTypes.filter(({ type }) => type !== "PROXY")) };
    await setDue(schedule);
    await tick(others);
    expect(await read(schedule)).toMatchObject({ status: "ACTIVE", fires: 0 });
    await setDue(schedule, 16 * 60);
    await tick(others);
    expect(await read(schedule)).toMatchObject({ status: "PAUSED", pausedBecause: "UNKNOWN_REPORT_TYPE" });
  });
});

describe("versions of time zone rules", () => {
  test("a worker computes the next run again only if its time zone rules are newer", async () => {
    const schedule = await make({ cron: "30 6 * * *", timezone: "Europe/Amsterdam" });
    const right = schedule.nextFireAt;
    await setDue(schedule);
    await parts.sql`update report_schedules set tz_version = '2999a'`;
    await tick();
    expect(await read(schedule)).toMatchObject({ fires: 0 });
    await parts.sql`update report_schedules set tz_version = '2020a'`;
    await tick();
    expect(await read(schedule)).toMatchObject({ fires: 0, nextFireAt: right });
    expect(await parts.sql`select tz_version from report_schedules`).toEqual([{ tz_version: calendar.tzVersion }]);
  });

  test("an unreadable schedule does not keep others from being computed and run", async () => {
    const [unreadable, other] = [await make(), await make()];
    await setDue(other);
    await parts.sql`update report_schedules set tz_version = '2000a', counted_from = now() - interval '400 days'`;
    await parts.sql`update report_schedules set cron = 'L * * * *', next_fire_at = now() where id = ${unreadable.id}`;
    const failed: string[] = [];
    await tick({ onFailure: ({ id }) => failed.push(id) });
    expect(failed).toEqual([unreadable.id]);
    expect((await read(other)).lastFire).not.toBeNull();
  });

  test("100 unreadable schedules do not stop others from getting a new next run", async () => {
    const unreadable = await make();
    await parts.sql`update report_schedules set cron = 'L * * * *' where id = ${unreadable.id}`;
    await parts.sql.begin(async (tx) => {
      await tx`create temp table copies on commit drop as select s.* from report_schedules s, generate_series(1, 100)`;
      await tx`update copies set id = gen_random_uuid()`;
      await tx`insert into report_schedules select * from copies`;
    });
    const other = await make({}, "basic:bert");
    await parts.sql`update report_schedules set tz_version = '2000a'`;
    for (let check = 0; check < 2; check++) await tick();
    const versions = await parts.sql`select tz_version from report_schedules where id = ${other.id}`;
    expect(versions).toEqual([{ tz_version: calendar.tzVersion }]);
  });
});

describe("settings and metrics of a worker", () => {
  const compose = (environment: Readonly<Record<string, string>> = {}) => {
    const metrics = createMetrics();
    const check = composeScheduleRunner({
      database: parts.workerDatabase,
      sourceDatabases: new Map(),
      catalogue,
      compareEveryMs: 600_000,
      logger: createLogger({ name: "test", level: "silent" }),
      metrics: createScheduleMetrics(metrics, createReportMetrics(metrics, []).counters),
      limits: readWorkerConfig({ DATABASE_URL: "postgres://unused", STORAGE_DIR: "/unused", ...environment }),
    });
    return { metrics, check: async () => check(new AbortController().signal) };
  };

  test("metrics count outcomes, delays, pauses and failures of schedule runs", async () => {
    const { metrics, check } = compose();
    const [started, missed, lost] = [await make(), await make({ missed: "SKIP" }), await make({}, "basic:nobody")];
    await setDue(started, 40);
    await setDue(missed, 3_000);
    await setDue(lost);
    await check();
    const text = (await metrics.render()).body;
    expect(text).toContain('reports_schedule_fires_total{outcome="STARTED",because=""} 1\n');
    expect(text).toMatch(/^reports_created_total\{type="PROXY",format="\w+"\} 1$/m);
    expect(text).toContain('reports_schedule_fires_total{outcome="SKIPPED",because="MISSED"} 1\n');
    expect(text).toContain('reports_schedule_fires_total{outcome="REFUSED",because="AUTHORITY_REVOKED"} 1\n');
    expect(text).toContain('reports_schedules_paused_total{because="AUTHORITY_REVOKED"} 1\n');
    expect(text).toContain("schedule_fire_delay_seconds_count 1\n");
    expect(text).toContain('schedule_fire_delay_seconds_bucket{le="30"} 0\n');
    expect(text).not.toContain("reports_schedule_fire_failures_total 1\n");
    await parts.sql`alter table report_schedule_fires add constraint no_more check (false) not valid`;
    try {
      await setDue(missed, 0);
      await check();
    } finally {
      await parts.sql`alter table report_schedule_fires drop constraint no_more`;
    }
    expect((await metrics.render()).body).toContain("reports_schedule_fire_failures_total 1\n");
  });

  test.each([
    [{ OVERLOAD_QUEUE_LENGTH: "1" }, true],
    [{ OVERLOAD_QUEUE_LENGTH: "2" }, false],
    [{ OVERLOAD_QUEUE_LENGTH: "0" }, false],
    [{ OVERLOAD_QUEUE_LENGTH: "0", OVERLOAD_QUEUE_AGE_SECONDS: "60" }, true],
    [{ OVERLOAD_QUEUE_LENGTH: "0", OVERLOAD_QUEUE_AGE_SECONDS: "600" }, false],
    [{ OVERLOAD_QUEUE_LENGTH: "0", OVERLOAD_QUEUE_AGE_SECONDS: "0" }, false],
  ])("with %j, a run waits behind a report that has waited two minutes: %s", async (environment, waits) => {
    const { check } = compose(environment);
    await setDue(await make());
    await tick();
    await parts.sql`update report_queue_quick._private_jobs set run_at = now() - interval '2 minutes'`;
    const schedule = await make({ missedWithinSeconds: 600 });
    await setDue(schedule);
    await check();
    expect((await read(schedule)).lastFire?.outcome).toBe(waits ? undefined : "STARTED");
  });

  test("SCHEDULE_CONFIRM_DAYS sets how long a token owner stays confirmed", async () => {
    const schedule = await make({}, "iss|erin");
    await parts.sql`update report_schedules set confirmed_at = now() - interval '10 days'`;
    await setDue(schedule);
    await compose({ SCHEDULE_CONFIRM_DAYS: "11" }).check();
    expect(await read(schedule)).toMatchObject({ status: "ACTIVE", fires: 1 });
    await parts.sql`update reports set status = 'CANCELLED'`;
    await setDue(schedule);
    await compose({ SCHEDULE_CONFIRM_DAYS: "9" }).check();
    expect(await read(schedule)).toMatchObject({ status: "PAUSED", pausedBecause: "OWNER_NOT_SEEN" });
  });
});
