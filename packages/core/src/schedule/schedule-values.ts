/** It runs, it waits for a caller to resume it, or it has run for the last time. */
export const scheduleStatuses = ["ACTIVE", "PAUSED", "ENDED"] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

/** Times that passed while no worker was running: the latest is made up for, or none. */
export const missedPolicies = ["LATEST", "SKIP"] as const;

/** Times at which an earlier report of the schedule is unfinished. */
export const overlapPolicies = ["SKIP", "ALLOW"] as const;

export const schedulePauseCauses = {
  AUTHORITY_REVOKED: "The owner lacks the authority of the report type, or is disabled.",
  OWNER_NOT_SEEN: "For too long no request of the owner has shown that they still hold the authority.",
  KEEPS_FAILING: "The last reports of the schedule failed for good, one after the other.",
  UNKNOWN_REPORT_TYPE: "No worker serves the report type any more.",
} as const;
export type SchedulePauseCause = keyof typeof schedulePauseCauses;

/** Why a schedule is paused, with its meaning. REQUESTED is not stored: it is every pause that the service did not cause. */
export const schedulePauseReasons = { REQUESTED: "A caller has paused it.", ...schedulePauseCauses } as const;

/** Whether a local owner holds the authority now; of others whether they were seen with it lately. */
export const scheduleOwnerships = ["holds", "lost", "not-seen"] as const;
export type ScheduleOwnership = (typeof scheduleOwnerships)[number];

export const runOutcomes = ["STARTED", "SKIPPED", "REFUSED"] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export const skipCauses = {
  MISSED: "No worker was running at the time.",
  OVERLOADED: "Too many reports were waiting, until it was too late.",
  PREVIOUS_STILL_RUNNING: "An earlier report of the schedule was unfinished.",
  INVALID_PARAMETERS: "The report type does not take these filters or options any more.",
} as const;
export const runCauses = { ...skipCauses, ...schedulePauseCauses } as const;
export type RunCause = keyof typeof runCauses;

export const maxSchedules = 50;
export const maxOpenReports = 3;
/** So many consecutive reports that fail for good pause a schedule. */
export const maxFailuresInRow = 5;
export const shownRuns = 5;
