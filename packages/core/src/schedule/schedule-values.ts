/** ACTIVE: the schedule runs. PAUSED: it waits until a caller resumes it. ENDED: it has no more runs. */
export const scheduleStatuses = ["ACTIVE", "PAUSED", "ENDED"] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

/** Policies for times that passed while no worker was running: run the latest, or skip all. */
export const missedRunPolicies = ["LATEST", "SKIP"] as const;

/** Policies for a run whose predecessor's report is unfinished: skip the run, or allow both reports. */
export const overlapPolicies = ["SKIP", "ALLOW"] as const;

export const schedulePauseCauses = {
  AUTHORITY_REVOKED: "The owner lacks the authority of the report type, or is disabled.",
  OWNER_NOT_SEEN: "For too long no request of the owner has shown that they still hold the authority.",
  KEEPS_FAILING: "The last reports of the schedule failed for good, one after the other.",
  UNKNOWN_REPORT_TYPE: "No worker serves the report type any more.",
  INVALID_PARAMETERS: "The report type does not take these filters or options any more, or requires another filter.",
} as const;
export type SchedulePauseCause = keyof typeof schedulePauseCauses;

export const scheduleMisfitCauses = [
  "INVALID_PARAMETERS",
  "UNKNOWN_REPORT_TYPE",
] as const satisfies readonly SchedulePauseCause[];
export type ScheduleMisfitCause = (typeof scheduleMisfitCauses)[number];

/** Reasons for pauses, with explanations. REQUESTED is not stored: a pause without a stored cause was requested by a caller. */
export const allSchedulePauseCauses = { REQUESTED: "A caller has paused it.", ...schedulePauseCauses } as const;

/** `holds`: the owner has the required authority. `lost`: not any more. `not-seen`: an owner who is not a local user has sent no recent request. */
export const ownerAuthorityStates = ["holds", "lost", "not-seen"] as const;
export type OwnerAuthorityState = (typeof ownerAuthorityStates)[number];

export const scheduleRunOutcomes = ["STARTED", "SKIPPED", "REFUSED"] as const;
export type RunOutcome = (typeof scheduleRunOutcomes)[number];

export const scheduleSkipCauses = {
  MISSED: "No worker started it within 60 seconds.",
  OVERLOADED: "Too many reports were waiting, until it was too late.",
  PREVIOUS_STILL_RUNNING: "An earlier report of the schedule was unfinished.",
} as const;
export const scheduleRunCauses = { ...scheduleSkipCauses, ...schedulePauseCauses } as const;
export type ScheduleRunCause = keyof typeof scheduleRunCauses;

export const maxSchedulesPerOwner = 50;
/** With `overlap: ALLOW`, a run is skipped while this many reports of the schedule are unfinished. */
export const maxUnfinishedPerSchedule = 3;
/** A schedule is paused after this many consecutive reports that failed permanently. */
export const maxScheduleFailuresInRow = 5;
export const maxShownScheduleRuns = 5;
