import type { ClockJump, ScheduledRunTime } from "../load/ledger.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import type { SeenRecord } from "./database-state.ts";

export interface SeenRun {
  readonly scheduleId: string;
  readonly scheduledFor: Date;
  readonly outcome: string;
  readonly because: string | null;
  readonly reportId: string | null;
}

export async function readScheduleRuns({ retryingSql }: TortureStand): Promise<readonly SeenRun[]> {
  return retryingSql<SeenRun[]>`
    select schedule_id as "scheduleId", scheduled_for as "scheduledFor", outcome, because, report_id as "reportId"
    from report_schedule_fires order by scheduled_for`;
}

export function checkScheduleRuns(
  expected: readonly ScheduledRunTime[],
  runs: readonly SeenRun[],
  records: Iterable<Pick<SeenRecord, "id" | "scheduleId">>,
  jumps: readonly Pick<ClockJump, "from" | "to">[],
): InvariantResult {
  const timeOf = (scheduleId: string, at: Date): string => `${scheduleId} ${at.toISOString()}`;
  const byTime = Map.groupBy(runs, ({ scheduleId, scheduledFor }) => timeOf(scheduleId, scheduledFor));
  const set = new Set(expected.map(({ scheduleId, at }) => timeOf(scheduleId, at)));
  const wasKept = (time: ScheduledRunTime): boolean => !jumps.some((jump) => isRecomputed(time, jump));
  const kept = new Set(expected.filter(wasKept).map(({ scheduleId, at }) => timeOf(scheduleId, at)));
  const missing = [...kept].filter((time) => !byTime.has(time));
  const byReport = Map.groupBy(runs, ({ reportId }) => reportId);
  const scheduled = new Map(
    [...records].flatMap(({ id, scheduleId }) => (scheduleId === null ? [] : [[id, scheduleId] as const])),
  );
  const started = runs.filter(({ outcome }) => outcome === "STARTED");
  return createInvariantResult(
    "I13",
    "every time of a schedule is one run and one report, even if workers die",
    `${set.size} times set, ${runs.length} runs, ${scheduled.size} reports`,
    [
      ...missing.map((time) => [null, `${time} was not run`] as const),
      ...[...byTime].flatMap(([time, group]) => [
        ...(set.has(time) ? [] : [[null, `${time} was run, but was not set by the harness`] as const]),
        ...(group.length > 1 ? [[null, `${time} was run ${group.length} times`] as const] : []),
      ]),
      ...runs
        .filter(({ outcome }) => outcome !== "STARTED")
        .map(
          (run) => [null, `${timeOf(run.scheduleId, run.scheduledFor)} was ${run.outcome}: ${run.because}`] as const,
        ),
      ...started
        .filter(({ reportId, scheduleId }) => scheduled.get(reportId ?? "") !== scheduleId)
        .map(({ reportId }) => [reportId, "was started by a schedule, but its record names another one"] as const),
      ...[...scheduled.keys()]
        .filter((id) => byReport.get(id)?.length !== 1)
        .map((id) => [id, `has ${byReport.get(id)?.length ?? 0} runs`] as const),
    ],
  );
}

const runsWithinMs = 15_000;

/**
 * Reports whether the service may have recomputed a run: it was set before the end of the jump, and was not due well before the jump. The service
 * computes the next run from the cron pattern, so the time that the harness has set is lost.
 */
function isRecomputed({ at, setAt }: ScheduledRunTime, { from, to }: Pick<ClockJump, "from" | "to">): boolean {
  return setAt <= to && at.getTime() > from - runsWithinMs;
}
