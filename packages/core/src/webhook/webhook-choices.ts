import { createChoiceField, nameChoices } from "../record/choice-field.ts";
import { deliveryStatuses, webhookStatuses } from "./webhook-values.ts";

export const webhookChoices = nameChoices([
  ["WebhookStatus", webhookStatuses, "Whether anything is sent. What happens while a webhook is PAUSED waits."],
  ["DeliveryStatus", deliveryStatuses, "What became of a delivery. Only a PENDING one is tried."],
]);

export const choiceField = createChoiceField(webhookChoices);
