import { DomainError } from "../base/errors.ts";
import type { IdMaker } from "../base/file-store.ts";
import type { ReportCatalogue } from "../report/types/catalogue.ts";
import type { ReportLane } from "../base/vocabulary.ts";
import type { StartInput } from "../report/request/start-input.ts";
import { maxFailuresPerReport } from "../report/lifecycle/start-report.ts";
import { decideDueRuns, computeNextRunTime } from "./decide-due-runs.ts";
import { readScheduledStart } from "./schedule-input.ts";
import type { ScheduleCalendar } from "./schedule-calendar.ts";
import type { DueScheduleStore, DueRunsResult } from "./schedule-store.ts";
import type { Schedule } from "./schedule-record.ts";

export interface RunDueSchedulesDeps {
  readonly schedules: DueScheduleStore;
  readonly calendar: ScheduleCalendar;
  readonly catalogue: ReportCatalogue;
  readonly newId: IdMaker;
  readonly chooseLane: (input: StartInput) => Promise<ReportLane>;
  readonly overloadedLanes: () => Promise<ReadonlySet<ReportLane>>;
  readonly confirmDays: number;
  readonly onRun: (schedule: Schedule, completed: DueRunsResult) => void;
  readonly onFailing: (scheduleId: string) => void;
  readonly onFailure: (schedule: Schedule, error: unknown) => void;
}

const batchSize = 100;
/** A schedule whose report type no worker knows is paused when it is overdue for this long, which is longer than a deployment takes. */
const unservedMs = 15 * 60_000;

export async function runDueSchedules(deps: RunDueSchedulesDeps, signal: AbortSignal): Promise<void> {
  const { schedules, calendar } = deps;
  await schedules.recompute(calendar.tzVersion, (schedule, from) => tryNextRun(calendar, schedule, from), batchSize);
  await runDue(deps, signal);
  for (const id of await schedules.pauseFailing(batchSize)) deps.onFailing(id);
}

async function runDue(deps: RunDueSchedulesDeps, signal: AbortSignal): Promise<void> {
  const { schedules, calendar } = deps;
  let due = await schedules.listDue(calendar.tzVersion, batchSize);
  if (due.length === 0) return;
  const overloaded = await deps.overloadedLanes();
  // A schedule whose lane is overloaded, or that waits for another worker, stays due. `listDue` continues after it, so that it blocks no other.
  for (
    ;
    due.length > 0;
    due = due.length < batchSize ? [] : await schedules.listDue(calendar.tzVersion, batchSize, due.at(-1))
  ) {
    for (const schedule of due) {
      signal.throwIfAborted();
      try {
        await runSchedule(deps, schedule, overloaded);
      } catch (error) {
        deps.onFailure(schedule, error);
      }
    }
  }
}

/** Returns the next run; undefined for a schedule that cannot be read. The error is reported later, when the schedule is due. */
function tryNextRun(calendar: ScheduleCalendar, schedule: Schedule, from: Date): Date | null | undefined {
  try {
    return computeNextRunTime(calendar, schedule, from);
  } catch {
    return undefined;
  }
}

async function runSchedule(
  deps: RunDueSchedulesDeps,
  schedule: Schedule,
  overloaded: ReadonlySet<ReportLane>,
): Promise<void> {
  const { schedules, calendar, catalogue } = deps;
  const definition = catalogue.find(schedule.reportType);
  if (definition === undefined || definition.version < schedule.definitionVersion) {
    if (definition === undefined) await schedules.pauseUnserved(schedule.id, unservedMs);
    return;
  }
  const read = (from: Schedule, at: Date): StartInput | null => {
    try {
      return readScheduledStart(definition, from, at);
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  };
  const expected = read(schedule, schedule.nextFireAt ?? schedule.createdAt);
  const lane = expected === null ? "quick" : await deps.chooseLane(expected);
  const context = { newId: deps.newId, lane, maxFailures: maxFailuresPerReport, confirmDays: deps.confirmDays };
  const completed = await schedules.run(schedule.id, calendar.tzVersion, context, (due) =>
    decideDueRuns({ calendar, read: (at) => read(due, at), isOverloaded: overloaded.has(lane) }, due),
  );
  if (completed !== null) deps.onRun(schedule, completed);
}
