import { createChoiceField } from "../record/choice-field.ts";
import { inventoryChoices } from "../inventory/inventory-choices.ts";
import { reportChoices } from "../report/types/report-choices.ts";
import { scheduleChoices } from "../schedule/schedule-choices.ts";
import { webhookChoices } from "../webhook/webhook-choices.ts";

/** Returns the schema of a field with one of these values. Enumerations with a name share one OpenAPI component. */
export const choiceField = createChoiceField(
  new Map([...inventoryChoices, ...reportChoices, ...scheduleChoices, ...webhookChoices]),
);
