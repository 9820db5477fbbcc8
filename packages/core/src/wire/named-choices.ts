import { createChoiceField } from "../record/choice-field.ts";
import { inventoryChoices } from "../inventory/inventory-choices.ts";
import { reportChoices } from "../report/types/report-choices.ts";
import { scheduleChoices } from "../schedule/schedule-choices.ts";
import { webhookChoices } from "../webhook/webhook-choices.ts";

/** Makes the schema of a field that is one of a list of values. The list decides the name of the schema. */
export const choiceField = createChoiceField(
  new Map([...inventoryChoices, ...reportChoices, ...scheduleChoices, ...webhookChoices]),
);
