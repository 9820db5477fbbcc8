import { createChoiceField, nameChoices } from "../record/choice-field.ts";
import { deliveryStatuses, webhookStatuses } from "./webhook-values.ts";

/** The lists of values of webhooks that clients know by a name. */
export const webhookChoices = nameChoices([
  ["WebhookStatus", webhookStatuses, "Whether anything is sent. What happens while a webhook is PAUSED waits."],
  ["DeliveryStatus", deliveryStatuses, "What became of a delivery. Only a PENDING one is tried."],
]);

/** One of the values of a field of webhooks. */
export const choiceField = createChoiceField(webhookChoices);
