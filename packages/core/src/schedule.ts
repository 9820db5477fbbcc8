// Schedules: fields, inputs, store, and the choice of the times that run now.

export {
  changeSchedule,
  createSchedule,
  lacksAuthority,
  ownerNotSeen,
  scheduleGone,
  scheduleNotFound,
  type ChangeScheduleDeps,
} from "./schedule/change-schedule.ts";
export { fireDueSchedules, type FireDeps } from "./schedule/fire-due-schedules.ts";
export { nextOf, type DueSchedule, type DueDecision, type FireRow } from "./schedule/decide-due-runs.ts";
export type { FireRule, ScheduleCalendar } from "./schedule/schedule-calendar.ts";
export { scheduleFilters, scheduleFireFilters } from "./schedule/schedule-filters.ts";
export type { ScheduleFire } from "./schedule/fire-record.ts";
export { readScheduledStart } from "./schedule/schedule-input.ts";
export {
  fireOutcomes,
  maxFailuresInRow,
  maxOpenReports,
  missedPolicies,
  overlapPolicies,
  scheduleOwnerships,
  schedulePauseCauses,
  schedulePauseReasons,
  scheduleStatuses,
  shownFires,
  skipCauses,
  type FireCause,
  type SchedulePauseCause,
} from "./schedule/schedule-values.ts";
export { scheduleRecord, type Schedule, type ScheduleSettings } from "./schedule/schedule-record.ts";
export type {
  DueSchedules,
  FireContext,
  FiredSchedule,
  ScheduleChange,
  ScheduleStore,
} from "./schedule/schedule-store.ts";
