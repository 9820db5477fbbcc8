import type { ClockJump, SetTime } from "../load/ledger.ts";
import { persistently } from "../stand/database.ts";
import type { Stand } from "../stand/stand.ts";
import { finding, type Finding } from "./finding.ts";
import type { SeenRecord } from "./snapshot.ts";

export interface SeenFire {
  readonly scheduleId: string;
  readonly scheduledFor: Date;
  readonly outcome: string;
  readonly because: string | null;
  readonly reportId: string | null;
}

export async function readFires({ sql }: Pick<Stand, "sql">): Promise<readonly SeenFire[]> {
  return persistently(
    () => sql<SeenFire[]>`
      select schedule_id as "scheduleId", scheduled_for as "scheduledFor", outcome, because, report_id as "reportId"
      from report_schedule_fires order by scheduled_for`,
  );
}

/** Every time that the harness set runs once, as one report. */
export function checkFires(
  expected: readonly SetTime[],
  fires: readonly SeenFire[],
  records: Iterable<Pick<SeenRecord, "id" | "scheduleId">>,
  jumps: readonly Pick<ClockJump, "from" | "to">[],
): Finding {
  const timeOf = (scheduleId: string, at: Date): string => `${scheduleId} ${at.toISOString()}`;
  const byTime = Map.groupBy(fires, ({ scheduleId, scheduledFor }) => timeOf(scheduleId, scheduledFor));
  const set = new Set(expected.map(({ scheduleId, at }) => timeOf(scheduleId, at)));
  const wasKept = (time: SetTime): boolean => !jumps.some((jump) => isRecomputed(time, jump));
  const kept = new Set(expected.filter(wasKept).map(({ scheduleId, at }) => timeOf(scheduleId, at)));
  const unfired = [...kept].filter((time) => !byTime.has(time));
  const byReport = Map.groupBy(fires, ({ reportId }) => reportId);
  const scheduled = new Map(
    [...records].flatMap(({ id, scheduleId }) => (scheduleId === null ? [] : [[id, scheduleId] as const])),
  );
  const started = fires.filter(({ outcome }) => outcome === "STARTED");
  return finding(
    "I13",
    "every time of a schedule is fired once and is one report, whichever workers die",
    `${set.size} times set, ${fires.length} fires, ${scheduled.size} reports`,
    [
      ...unfired.map((time) => [null, `${time} was not fired`] as const),
      ...[...byTime].flatMap(([time, group]) => [
        ...(set.has(time) ? [] : [[null, `${time} was fired, and nobody set it`] as const]),
        ...(group.length > 1 ? [[null, `${time} was fired ${group.length} times`] as const] : []),
      ]),
      ...fires
        .filter(({ outcome }) => outcome !== "STARTED")
        .map(
          (fire) =>
            [null, `${timeOf(fire.scheduleId, fire.scheduledFor)} was ${fire.outcome}: ${fire.because}`] as const,
        ),
      ...started
        .filter(({ reportId, scheduleId }) => scheduled.get(reportId ?? "") !== scheduleId)
        .map(({ reportId }) => [reportId, "was started by a schedule and is no report of it"] as const),
      ...[...scheduled.keys()]
        .filter((id) => byReport.get(id)?.length !== 1)
        .map((id) => [id, `is named by ${byReport.get(id)?.length ?? 0} fires`] as const),
    ],
  );
}

const firedWithinMs = 15_000;

/**
 * Whether a time was open when Postgres's clock was set back. The service then computes next times again by the patterns of the schedules,
 * which know nothing of the times that the harness sets.
 */
function isRecomputed({ at, setAt }: SetTime, { from, to }: Pick<ClockJump, "from" | "to">): boolean {
  return setAt <= to && at.getTime() > from - firedWithinMs;
}
