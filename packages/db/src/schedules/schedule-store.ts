import {
  changesNothing,
  isSameValue,
  scheduleOwnerships,
  type Schedule,
  type ScheduleChange,
  type ScheduleSettings,
  type ScheduleStore,
} from "@reports/core";
import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { ListDatabase } from "../database/list-database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { ago, confirmEveryMs } from "../database/interval.ts";
import { reportScheduleFires, reportSchedules } from "../schema/report-schedules.ts";
import { ownershipOf } from "./ownership.ts";
import { pauseSchedule } from "./pause-schedule.ts";
import { listScheduleFires, listSchedules } from "./schedule-lists.ts";
import { toSchedules, type StoredSchedule } from "./schedule-row.ts";

const ownershipRow = z.object({ ownership: z.enum(scheduleOwnerships) });

const lockOwner = prepareStatement(
  "lock_schedule_owner",
  sql`select pg_advisory_xact_lock(hashtextextended('schedules:' || ${sql.placeholder("owner")}::text, 0))`,
);

/** Schedules in Postgres, by its clock. Lists are read through connections of their own. */
export function createScheduleStore(database: Database, lists: ListDatabase): ScheduleStore {
  return {
    create: (schedule, plan, most) =>
      database.transaction(async (tx) => {
        // Those of one owner are made one after the other, so that their number is exact.
        await lockOwner(tx, { owner: schedule.owner });
        const own = and(eq(reportSchedules.owner, schedule.owner), isNull(reportSchedules.deletedAt));
        if ((await tx.$count(reportSchedules, own)) >= most) return null;
        const now = await readClock(tx);
        const [row] = await tx
          .insert(reportSchedules)
          .values({ ...schedule, ...plan(now), status: "ACTIVE", countedFrom: now })
          .returning();
        return one(tx, row!);
      }),
    find: (id) =>
      database.query(async (queries) => {
        const [row] = await queries.select().from(reportSchedules).where(eq(reportSchedules.id, id));
        return row === undefined ? null : one(queries, row);
      }),
    list: (query, signal) => lists.read(async (queries) => listSchedules(queries, query), signal),
    change: (id, change) =>
      database.transaction(async (tx) => {
        // A fire that has begun is waited for; one that begins later finds what this one has made of it.
        const row = await lockLiving(tx, id);
        if (row === null) return null;
        const now = await readClock(tx);
        const stored = await one(tx, row);
        const wanted = change(stored, now);
        if (wanted === null) return stored;
        return one(tx, await write(tx, row, wanted, now));
      }),
    remove: (id, precondition) =>
      database.transaction(async (tx) => {
        const row = await lockLiving(tx, id);
        if (row === null) return;
        precondition(await one(tx, row));
        // A tombstone fires no more: what looks for due ones passes over it.
        await tx
          .update(reportSchedules)
          .set({ deletedAt: sql`now()`, ...changed })
          .where(eq(reportSchedules.id, id));
      }),
    listFires: (query, signal) => lists.read(async (queries) => listScheduleFires(queries, query), signal),
    findFire: (scheduleId, id) =>
      database.query(async (queries) => {
        const [row] = await queries
          .select()
          .from(reportScheduleFires)
          .where(and(eq(reportScheduleFires.scheduleId, scheduleId), eq(reportScheduleFires.id, id)));
        return row ?? null;
      }),
    ownership: (id, confirmDays) =>
      database.query(async (queries) => {
        const [row] = await queries.select().from(reportSchedules).where(eq(reportSchedules.id, id));
        if (row === undefined) return "lost";
        const [found] = await queries.execute(sql`select ${ownershipOf(row, confirmDays)} as "ownership"`);
        return ownershipRow.parse(found).ownership;
      }),
    confirmOwner: (owner, authorities) =>
      database.query(async (queries) => {
        if (authorities.length === 0) return 0;
        const rows = await queries
          .update(reportSchedules)
          .set({ confirmedAt: sql`clock_timestamp()` })
          .where(
            and(
              eq(reportSchedules.owner, owner),
              inArray(reportSchedules.requiredAuthority, [...authorities]),
              isNull(reportSchedules.deletedAt),
              lt(reportSchedules.confirmedAt, ago(confirmEveryMs)),
            ),
          )
          .returning({ id: reportSchedules.id });
        return rows.length;
      }),
  };
}

const changed = { revision: sql`${reportSchedules.revision} + 1`, updatedAt: sql`now()` };

async function write(
  tx: Queries,
  row: StoredSchedule,
  { settings, definitionVersion, status, plan, confirms, ownerName }: ScheduleChange,
  now: Date,
): Promise<StoredSchedule> {
  const wanted = written(settings);
  if (status === "PAUSED" && row.status === "ACTIVE") await pauseSchedule(tx, row.id, null);
  const resumes = status === "ACTIVE" && row.status !== "ACTIVE";
  const planned =
    plan === null
      ? {}
      : { ...plan, nextFireAt: status === "ACTIVE" ? plan.nextFireAt : null, countedFrom: now, heldFor: null };
  const [stored] = await tx
    .update(reportSchedules)
    .set({
      ...wanted,
      ...planned,
      // That the owner was seen, and by which definition it was checked, is nothing that callers see.
      ...(changesNothing(row, { ...wanted, status }) ? {} : changed),
      definitionVersion,
      ownerName,
      status,
      ...(status === "ACTIVE" ? { pausedBecause: null } : {}),
      ...(resumes || makesOtherReports(settings, row) ? { failuresFrom: now } : {}),
      ...(confirms ? { confirmedAt: now } : {}),
    })
    .where(eq(reportSchedules.id, row.id))
    .returning();
  return stored!;
}

function written({ name, searchParam, options, cron, timezone, startsAt, endsAt, ...rest }: ScheduleSettings) {
  const { missed, missedWithinSeconds, overlap } = rest;
  return { name, searchParam, options, cron, timezone, startsAt, endsAt, missed, missedWithinSeconds, overlap };
}

type Contents = Pick<ScheduleSettings, "searchParam" | "options">;

function makesOtherReports(one: Contents, other: Contents): boolean {
  return !isSameValue([one.searchParam, one.options], [other.searchParam, other.options]);
}

async function lockLiving(tx: Queries, id: string): Promise<StoredSchedule | null> {
  const [row] = await tx
    .select()
    .from(reportSchedules)
    .where(and(eq(reportSchedules.id, id), isNull(reportSchedules.deletedAt)))
    .for("update");
  return row ?? null;
}

async function readClock(tx: Queries): Promise<Date> {
  const [row] = await tx.execute<{ now: string }>(sql`select clock_timestamp()::text as now`);
  return new Date(row!.now);
}

async function one(queries: Queries, row: StoredSchedule): Promise<Schedule> {
  const [schedule] = await toSchedules(queries, [row]);
  return schedule!;
}
