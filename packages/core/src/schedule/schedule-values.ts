/** Where a schedule stands: it fires, it does not until somebody resumes it, or it has fired for the last time. */
export const scheduleStatuses = ["ACTIVE", "PAUSED", "ENDED"] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

/** What becomes of times that passed while no worker lived: the latest is made up for, or none. */
export const missedPolicies = ["LATEST", "SKIP"] as const;

/** What becomes of a time at which an earlier report of the schedule is unfinished. */
export const overlapPolicies = ["SKIP", "ALLOW"] as const;

/** Why the service paused a schedule. */
export const schedulePauseCauses = {
  AUTHORITY_REVOKED: "The owner lacks the authority of the report type, or is disabled.",
  OWNER_NOT_SEEN: "For too long no request of the owner has shown that they still hold the authority.",
  KEEPS_FAILING: "The last reports of the schedule failed for good, one after the other.",
  UNKNOWN_REPORT_TYPE: "No worker serves the report type any more.",
} as const;
export type SchedulePauseCause = keyof typeof schedulePauseCauses;

/** Why a schedule is paused, with what it means. REQUESTED is not stored: it is every pause without a cause of the service. */
export const schedulePauseReasons = { REQUESTED: "A caller has paused it.", ...schedulePauseCauses } as const;

/** Whether the owner, being one of our own users, holds the authority now; of others whether they were seen with it lately. */
export const scheduleOwnerships = ["holds", "lost", "not-seen"] as const;
export type ScheduleOwnership = (typeof scheduleOwnerships)[number];

/** What came of one time of a schedule. */
export const fireOutcomes = ["STARTED", "SKIPPED", "REFUSED"] as const;
export type FireOutcome = (typeof fireOutcomes)[number];

/** Why nothing was started. */
export const skipCauses = {
  MISSED: "No worker was running at the time.",
  OVERLOADED: "Too many reports were waiting, until it was too late.",
  PREVIOUS_STILL_RUNNING: "An earlier report of the schedule was unfinished.",
  INVALID_PARAMETERS: "The report type does not take these filters or options any more.",
} as const;
export const fireCauses = { ...skipCauses, ...schedulePauseCauses } as const;
export type FireCause = keyof typeof fireCauses;

/** How many schedules a principal may have. */
export const maxSchedules = 50;
/** How many unfinished reports a schedule may have. */
export const maxOpenReports = 3;
/** So many reports of a schedule that fail for good, one after the other, pause it. */
export const maxFailuresInRow = 5;
/** How many of them are shown. */
export const shownFires = 5;
