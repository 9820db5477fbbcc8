export {
  changeSchedule,
  createSchedule,
  authorityMissingError,
  ownerNotSeenError,
  scheduleGoneError,
  scheduleNotFoundError,
  type ChangeScheduleDeps,
} from "./schedule/change-schedule.ts";
export { runDueSchedules, type RunDueDeps } from "./schedule/run-due-schedules.ts";
export { findScheduleMisfit, listUnfitSchedules, pauseUnfitSchedules } from "./schedule/unfit-schedules.ts";
export { checkTimes, type TimingRules } from "./schedule/check-times.ts";
export { nextRunAfter, type DueSchedule, type DueRunsDecision, type DecidedRun } from "./schedule/decide-due-runs.ts";
export type { CronRule, ScheduleCalendar } from "./schedule/schedule-calendar.ts";
export { scheduleFilters, scheduleRunFilters } from "./schedule/schedule-filters.ts";
export type { ScheduleRun } from "./schedule/run-record.ts";
export { readScheduledStart } from "./schedule/schedule-input.ts";
export {
  runOutcomes,
  maxFailuresInRow,
  maxOpenReports,
  missedPolicies,
  overlapPolicies,
  scheduleOwnerships,
  schedulePauseCauses,
  schedulePauseReasons,
  scheduleStatuses,
  maxShownRuns,
  skipCauses,
  unfitCauses,
  type RunCause,
  type SchedulePauseCause,
} from "./schedule/schedule-values.ts";
export { scheduleRecord, type Schedule, type ScheduleSettings } from "./schedule/schedule-record.ts";
export type {
  DueScheduleStore,
  RunContext,
  CompletedRun,
  ScheduleChange,
  ScheduleReader,
  ScheduleStore,
} from "./schedule/schedule-store.ts";
