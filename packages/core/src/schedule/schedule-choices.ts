import { createChoiceField, nameChoices } from "../record/choice-field.ts";
import { fireOutcomes, missedPolicies, overlapPolicies, scheduleStatuses } from "./schedule-values.ts";

export const scheduleChoices = nameChoices([
  [
    "ScheduleStatus",
    scheduleStatuses,
    "Whether a schedule is running, is paused until a caller resumes it, or has ended.",
  ],
  ["MissedPolicy", missedPolicies, "How missed times are treated: times at which no worker was running."],
  ["OverlapPolicy", overlapPolicies, "What to do if the previous report is still running."],
  ["FireOutcome", fireOutcomes, "One run of a schedule: a time and its outcome."],
]);

export const choiceField = createChoiceField(scheduleChoices);
