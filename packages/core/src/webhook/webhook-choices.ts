import { createChoiceField, nameChoices } from "../record/choice-field.ts";
import { deliveryStatuses, webhookStatuses } from "./webhook-values.ts";

export const webhookChoices = nameChoices([
  ["WebhookStatus", webhookStatuses, "Whether events are sent. Events of a PAUSED webhook wait."],
  ["DeliveryStatus", deliveryStatuses, "State of a delivery. Only a PENDING one is attempted."],
]);

export const choiceField = createChoiceField(webhookChoices);
