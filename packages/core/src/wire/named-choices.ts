import { createChoiceFieldFactory } from "../record/choice-field.ts";
import { inventoryChoiceSchemas } from "../inventory/inventory-choice-schemas.ts";
import { reportChoiceSchemas } from "../report/types/report-choice-schemas.ts";
import { scheduleChoiceSchemas } from "../schedule/schedule-choice-schemas.ts";
import { webhookChoiceSchemas } from "../webhook/webhook-choice-schemas.ts";

/** Returns the schema of a field with one of these values. Enumerations with a name share one OpenAPI component. */
export const choiceField = createChoiceFieldFactory(
  new Map([...inventoryChoiceSchemas, ...reportChoiceSchemas, ...scheduleChoiceSchemas, ...webhookChoiceSchemas]),
);
