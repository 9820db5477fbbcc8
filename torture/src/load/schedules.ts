import { setTimeout as wait } from "node:timers/promises";
import type { TortureStand } from "../stand/torture-stand.ts";
import type { LoadClient } from "./load-client.ts";
import type { Ledger } from "./ledger.ts";
import { toRenditionRequestBody, scheduledVariant } from "./report-variants.ts";

/** Schedules per owner. The limit of the service is a little higher. */
const perPrincipal = 40;
const spacingMs = 1_000;
const betweenRoundsMs = 1_000;
/**
 * Maximum error in ms of Postgres's clock at which the harness sets next runs. If it were larger, these times would be minutes away once the clock is
 * right.
 */
const maxErrorMs = 60_000;

export function computeScheduleRoundMs(schedules: number): number {
  return schedules * spacingMs;
}

/** Creates schedules whose cron patterns match only in half a year. So a schedule runs only at the times that the harness sets. Returns the IDs. */
export async function makeSchedules(caller: LoadClient, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    ids.push(await makeSchedule(caller, `planner-${Math.floor(number / perPrincipal)}`, `schedule ${number}`));
  }
  return ids;
}

/** Creates a schedule. Repeats the call until there is a response, which can create a second schedule. */
export async function makeSchedule(caller: LoadClient, owner: string, name: string): Promise<string> {
  const init = { headers: { "content-type": "application/json" }, body: JSON.stringify(scheduleBody(name)) };
  const create = async (): Promise<Response | null> => caller.send("POST", "/v1/report-schedules", owner, init);
  const { isAccepted, text } = await caller.retryUntilDecided("A schedule", create);
  if (!isAccepted) throw new Error(`A schedule could not be created: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

function scheduleBody(name: string): object {
  const month = ((new Date().getUTCMonth() + 6) % 12) + 1;
  return {
    name,
    reportType: scheduledVariant.request.reportType,
    searchParam: {},
    options: toRenditionRequestBody(scheduledVariant),
    cron: `0 0 1 ${month} *`,
    timezone: "UTC",
    overlap: "ALLOW",
  };
}

/** Sets the next run of every schedule, one second apart. Repeats that when all have run, until the signal aborts. */
export async function triggerSchedulesRepeatedly(
  stand: TortureStand,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await setRound(stand, ledger);
    await wait(betweenRoundsMs, undefined, { signal }).catch(() => undefined);
  }
}

async function setRound({ retryingSql }: TortureStand, ledger: Ledger): Promise<void> {
  const [round] = await retryingSql<{ now: Date; busy: boolean; ids: string[] | null }[]>`
    select clock_timestamp() as now, array_agg(id order by id) as ids,
      bool_or(next_fire_at < clock_timestamp() + interval '1 day' or exists (
        select from reports where schedule_id = schedule.id and status in ('QUEUED', 'RUNNING'))) as busy
    from report_schedules as schedule where status = 'ACTIVE'`;
  if (round!.ids === null || round!.busy || Math.abs(round!.now.getTime() - Date.now()) > maxErrorMs) return;
  const times = round!.ids.map((scheduleId, index) => ({
    scheduleId,
    at: new Date(round!.now.getTime() + (index + 1) * spacingMs),
    setAt: Date.now(),
  }));
  ledger.scheduledTimes.push(...times);
  // Repeating the update after a lost response is safe, because the service never starts a second run for the same time.
  await retryingSql`
    update report_schedules as schedule set next_fire_at = given.at
    from unnest(${times.map(({ scheduleId }) => scheduleId)}::uuid[], ${times.map(({ at }) => at.toISOString())}::timestamptz[]) as given (id, at)
    where schedule.id = given.id`;
}
