import { createChoiceField } from "../collection/choice-field.ts";
import { registerChoices } from "../register/choice-field.ts";
import { reportChoices } from "../report/choice-field.ts";
import { scheduleChoices } from "../schedule/choice-field.ts";
import { webhookChoices } from "../webhook/choice-field.ts";

/** One of the values, whatever they are of. */
export const choiceField = createChoiceField(
  new Map([...registerChoices, ...reportChoices, ...scheduleChoices, ...webhookChoices]),
);
