import { createChoiceField } from "../record/choice-field.ts";
import { inventoryChoices } from "../inventory/inventory-choices.ts";
import { reportChoices } from "../report/types/report-choices.ts";
import { scheduleChoices } from "../schedule/schedule-choices.ts";
import { webhookChoices } from "../webhook/webhook-choices.ts";

/** One of the values, whatever they are of. */
export const choiceField = createChoiceField(
  new Map([...inventoryChoices, ...reportChoices, ...scheduleChoices, ...webhookChoices]),
);
