import { createScheduleCalendar } from "@reports/calendar";
import {
  createWaitCappedLoadReader,
  chooseInitialReportLane,
  overloadLimitsOf,
  findOverloadReason,
  type LimitByLane,
  type LaneLoad,
  type ReportCatalogue,
} from "@reports/core/report";
import {
  pauseUnfitSchedules,
  runDueSchedules,
  type DueRunsResult,
  type Schedule,
  type SchedulePauseCause,
} from "@reports/core/schedule";
import type { ReportLane } from "@reports/core/base";
import {
  createDueScheduleStore,
  createRowEstimator,
  createScheduleReader,
  readLaneLoads,
  type Database,
  type SourceDatabases,
} from "@reports/db";
import { newId, type Logger } from "@reports/runtime";

export interface ScheduleRunnerDeps {
  readonly database: Database;
  readonly sourceDatabases: SourceDatabases;
  readonly catalogue: ReportCatalogue;
  readonly logger: Logger;
  readonly compareEveryMs: number;
  readonly metrics: {
    observeRun(fired: DueRunsResult): void;
    observePause(because: SchedulePauseCause): void;
    readonly runFailures: { inc(): void };
  };
  readonly limits: {
    readonly scheduleConfirmDays: number;
    readonly overloadQueueLength: LimitByLane;
    readonly overloadQueueAgeSeconds: LimitByLane;
  };
}

export function composeScheduleRunner(deps: ScheduleRunnerDeps): (signal: AbortSignal) => Promise<void> {
  const { database, catalogue, logger, metrics, limits } = deps;
  const schedules = createDueScheduleStore(database);
  const calendar = createScheduleCalendar();
  const { estimate } = createRowEstimator(database, deps.sourceDatabases);
  const { overloadQueueLength: waiting, overloadQueueAgeSeconds: oldestWaitSeconds } = limits;
  const countAtMost = Math.max(1, ...Object.values(waiting));
  const readLoads = createWaitCappedLoadReader(async () =>
    database.query((queries) => readLaneLoads(queries, countAtMost)),
  );
  const overloadedLanes = async (): Promise<ReadonlySet<ReportLane>> => {
    const loads = await readLoads();
    const isAbove = (load: LaneLoad): boolean =>
      findOverloadReason(load, overloadLimitsOf(load.lane, { waiting, oldestWaitSeconds })) !== null;
    return new Set(loads.filter(isAbove).map(({ lane }) => lane));
  };
  const logRun = (schedule: Schedule, fired: DueRunsResult): void => {
    metrics.observeRun(fired);
    const { rows, pause } = fired.decision;
    const outcomes = rows.map(({ outcome, because, count }) => ({ outcome, because, count }));
    const fields = { scheduleId: schedule.id, reportType: schedule.reportType, reportId: fired.reportId, outcomes };
    if (pause !== null) logger.warn("a schedule was paused", { ...fields, pause });
    else if (rows.length > 0) logger.info("a schedule fired", fields);
  };
  const logPause = (scheduleId: string, pause: SchedulePauseCause): void => {
    metrics.observePause(pause);
    logger.warn("a schedule was paused", { scheduleId, pause });
  };
  const scan = createScheduleReader(database);
  let compareAtMs = 0;
  const pauseUnfit = async (signal: AbortSignal): Promise<void> => {
    if (performance.now() < compareAtMs) return;
    const onPaused = ({ id }: Schedule): void => logPause(id, "INVALID_PARAMETERS");
    const onFailure = (schedule: Schedule, error: unknown): void =>
      logger.error("a schedule could not be compared with its report type", { scheduleId: schedule.id, error });
    try {
      await pauseUnfitSchedules({ scan, schedules, catalogue, onPaused, onFailure }, signal);
    } catch (error) {
      signal.throwIfAborted();
      // The due schedules must run even if the comparison fails.
      logger.warn("schedules were not compared with their report types, retrying", { error });
    }
    compareAtMs = performance.now() + deps.compareEveryMs;
  };
  return async (signal) => {
    // The comparison comes first. It pauses a schedule that no longer fits its report type, whose next run would be refused.
    await pauseUnfit(signal);
    await runDueSchedules(
      {
        schedules,
        calendar,
        catalogue,
        newId,
        chooseLane: async ({ definition, searchParam, options }) =>
          chooseInitialReportLane(options.format, await estimate(definition, searchParam, options.timezone)),
        overloadedLanes,
        confirmDays: limits.scheduleConfirmDays,
        onRun: logRun,
        onFailing: (scheduleId) => logPause(scheduleId, "KEEPS_FAILING"),
        onFailure: (schedule, error) => {
          metrics.runFailures.inc();
          logger.error("a schedule could not be fired, retrying", { scheduleId: schedule.id, error });
        },
      },
      signal,
    );
  };
}
