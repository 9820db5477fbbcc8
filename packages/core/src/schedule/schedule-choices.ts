import { createChoiceField, nameChoices } from "../record/choice-field.ts";
import { fireOutcomes, missedPolicies, overlapPolicies, scheduleStatuses } from "./schedule-values.ts";

export const scheduleChoices = nameChoices([
  ["ScheduleStatus", scheduleStatuses, "Whether a schedule fires, waits until somebody resumes it, or is over."],
  ["MissedPolicy", missedPolicies, "What becomes of times at which no worker was there."],
  ["OverlapPolicy", overlapPolicies, "What becomes of a time at which an earlier report is unfinished."],
  ["FireOutcome", fireOutcomes, "What came of one time of a schedule."],
]);

export const choiceField = createChoiceField(scheduleChoices);
