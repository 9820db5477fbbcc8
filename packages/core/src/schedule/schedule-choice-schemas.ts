import { createChoiceFieldFactory, createNamedChoiceSchemas } from "../record/choice-field.ts";
import { scheduleRunOutcomes, missedRunPolicies, overlapPolicies, scheduleStatuses } from "./schedule-values.ts";

export const scheduleChoiceSchemas = createNamedChoiceSchemas([
  [
    "ScheduleStatus",
    scheduleStatuses,
    "State of the schedule. ACTIVE: it runs at its times. PAUSED: it does not run until a caller resumes it. ENDED: it has no further time.",
  ],
  [
    "MissedPolicy",
    missedRunPolicies,
    "Treatment of missed times, at which no worker was running. LATEST: it runs the newest missed time, if that is recent enough (missedWithinSeconds). SKIP: it runs none.",
  ],
  [
    "OverlapPolicy",
    overlapPolicies,
    "Whether a time is skipped because of unfinished reports of the schedule. SKIP: if there is one. ALLOW: if there are three. Runs by hand are never skipped.",
  ],
  [
    "FireOutcome",
    scheduleRunOutcomes,
    "Outcome of the run. STARTED: it started a report. SKIPPED: its time passed without a start. REFUSED: the service does not accept the start.",
  ],
]);

export const choiceField = createChoiceFieldFactory(scheduleChoiceSchemas);
