import { setTimeout as wait } from "node:timers/promises";
import type { ClockJump } from "../load/ledger.ts";
import { makeSchedule } from "../load/schedules.ts";
import { reportVariants } from "../load/report-variants.ts";
import { poisonTypeNames } from "../report-types.ts";
import { clockChangeDelayMs } from "../stand/faked-clock.ts";
import type { FaultContext, StandFault } from "./fault.ts";

const shortestMs = 10_000;
const longestMs = 20_000;
/** Maximum ms until a due schedule runs, or until no delivery waits for a time of the wrong clock. Meanwhile, the worker polls schedules about twelve times, and repairs due times of deliveries at least six times. */
const runsWithinMs = 60_000;
/** Maximum ms until reports end. It includes the rescue of a killed worker's report and its next attempt. */
const endsWithinMs = 120_000;

export const jumpPostgresClockFault: StandFault = {
  name: "Postgres's clock jumps",
  weight: 1,
  appliesTo: ({ database }) => database.clock !== null,
  async inject(context) {
    const { stand, ledger, random } = context;
    const clock = stand.database.clock;
    if (clock === null || (await hasFragileReports(context))) return false;
    const offsets = stand.clockOffsetsSeconds.filter((seconds) => seconds !== 0);
    // A jump ahead and a jump back alternate, so that two injections have both.
    const ahead = offsets[(ledger.faults.get(this.name) ?? 0) % offsets.length]!;
    const from = Date.now();
    const jump: ClockJump = { from, to: Infinity, aheadMs: ahead * 1_000, ...(await eventsBetween(context)) };
    ledger.clockJumps.push(jump);
    ledger.outages.push(jump);
    const reports: string[] = [];
    try {
      clock.set(ahead);
      await wait(clockChangeDelayMs);
      await checkSchedules(context, `after Postgres's clock had jumped by ${ahead} s`);
      await wait(Math.max(0, from + random.integer(shortestMs, longestMs) - Date.now()));
      reports.push(await startReport(context, `clock-${from}-wrong`));
    } finally {
      clock.set(0);
      await wait(clockChangeDelayMs);
      jump.lastEvent = (await eventsBetween(context)).lastEvent;
      jump.to = Date.now();
    }
    await checkSchedules(context, `after Postgres's clock had jumped back by ${-ahead} s`);
    reports.push(await startReport(context, `clock-${from}-right`));
    await checkReports(context, reports);
    await checkDeliveries(context);
    return true;
  },
};

/**
 * Reports whether a running report is close to failing, because it has a failure or two losses or is quarantined. A jump ahead ends all leases, and
 * each counts as a loss. So such a report could correctly fail.
 */
async function hasFragileReports({ stand }: FaultContext): Promise<boolean> {
  const rows = await stand.retryingSql`
    select from reports where status = 'RUNNING' and report_type <> all (${[...poisonTypeNames]})
      and (failures > 0 or losses > 1 or lane = 'suspect') limit 1`;
  return rows.length > 0;
}

async function eventsBetween({ stand }: FaultContext): Promise<Pick<ClockJump, "firstEvent" | "lastEvent">> {
  const [row] = await stand.retryingSql<{ last: number }[]>`
    select coalesce(max(id), 0)::float8 as last from report_events`;
  return { firstEvent: row!.last, lastEvent: Infinity };
}

async function checkSchedules({ stand, caller, ledger }: FaultContext, when: string): Promise<void> {
  const name = `clock-${Date.now()}`;
  const id = await makeSchedule(caller, name, name);
  const [set] = await stand.retryingSql<{ at: Date }[]>`
    update report_schedules set next_fire_at = date_trunc('milliseconds', clock_timestamp()) where id = ${id} returning next_fire_at as at`;
  for (const endsAt = Date.now() + runsWithinMs; Date.now() < endsAt; await wait(500)) {
    const runs = await stand.retryingSql`
      select from report_schedule_fires where schedule_id = ${id} and scheduled_for = ${set!.at.toISOString()}`;
    if (runs.length > 0) return void ledger.scheduledTimes.push({ scheduleId: id, at: set!.at, setAt: Date.now() });
  }
  // The set time is not added to `scheduledTimes` if no run was found. The service may replace it by a time of the cron pattern.
  const what = `a schedule did not run within ${runsWithinMs / 1_000} s ${when}`;
  ledger.breaches.push({ name: "K1", reportId: null, what });
}

async function startReport({ caller, ledger, random }: FaultContext, key: string): Promise<string> {
  const variant = random.pick(reportVariants);
  const id = await caller.start(variant.request, key);
  ledger.entries.set(id, { id, key, variant });
  return id;
}

async function checkReports({ stand, ledger }: FaultContext, ids: readonly string[]): Promise<void> {
  const open = async () =>
    stand.retryingSql<{ id: string; status: string }[]>`
      select id, status from reports where id = any (${[...ids]}) and status in ('QUEUED', 'RUNNING') and deleted_at is null`;
  let left = await open();
  for (const endsAt = Date.now() + endsWithinMs; left.length > 0 && Date.now() < endsAt; await wait(1_000)) {
    left = await open();
  }
  for (const { id, status } of left) {
    const what = `is ${status} ${endsWithinMs / 1_000} s after Postgres's clock was right again`;
    ledger.breaches.push({ name: "K1", reportId: id, what });
  }
}

async function checkDeliveries({ stand, ledger }: FaultContext): Promise<void> {
  const count = async () => {
    const [seen] = await stand.retryingSql<{ waiting: number }[]>`
      select count(*)::int as waiting from webhook_deliveries
      where status = 'PENDING' and tries = 0 and next_try_at > clock_timestamp() + interval '1 minute'`;
    return seen!.waiting;
  };
  let waiting = await count();
  for (const endsAt = Date.now() + runsWithinMs; waiting > 0 && Date.now() < endsAt; await wait(1_000)) {
    waiting = await count();
  }
  if (waiting === 0) return;
  const what = `${waiting} deliveries wait for a time of the wrong clock ${runsWithinMs / 1_000} s after Postgres's clock was right again`;
  ledger.breaches.push({ name: "K1", reportId: null, what });
}
