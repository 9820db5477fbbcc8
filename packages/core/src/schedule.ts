export {
  changeSchedule,
  createSchedule,
  authorityMissingError,
  ownerNotSeenError,
  scheduleGoneError,
  scheduleNotFoundError,
  type ChangeScheduleDeps,
} from "./schedule/change-schedule.ts";
export { runDueSchedules, type RunDueSchedulesDeps } from "./schedule/run-due-schedules.ts";
export { findScheduleMisfit, listUnfitSchedules, pauseUnfitSchedules } from "./schedule/unfit-schedule-group.ts";
export { findTimingIssues, type ScheduleTimingRules } from "./schedule/find-timing-issues.ts";
export {
  computeNextRunTime,
  type DueSchedule,
  type DueRunsDecision,
  type DecidedRun,
} from "./schedule/decide-due-runs.ts";
export type { CronRule, ScheduleCalendar } from "./schedule/schedule-calendar.ts";
export { scheduleListFilters, scheduleRunFilters } from "./schedule/schedule-list-filters.ts";
export type { ScheduleRun } from "./schedule/run-record.ts";
export { readScheduledStart } from "./schedule/schedule-input.ts";
export {
  scheduleRunOutcomes,
  maxScheduleFailuresInRow,
  maxUnfinishedPerSchedule,
  missedRunPolicies,
  overlapPolicies,
  ownerAuthorityStates,
  schedulePauseCauses,
  allSchedulePauseCauses,
  scheduleStatuses,
  maxShownScheduleRuns,
  scheduleSkipCauses,
  scheduleMisfitCauses,
  type ScheduleRunCause,
  type SchedulePauseCause,
} from "./schedule/schedule-values.ts";
export { scheduleRecord, type Schedule, type ScheduleSettings } from "./schedule/schedule-record.ts";
export type {
  DueScheduleStore,
  ScheduleRunContext,
  DueRunsResult,
  ScheduleChange,
  ScheduleReader,
  ScheduleStore,
} from "./schedule/schedule-store.ts";
