import { createChoiceFieldFactory, createNamedChoiceSchemas } from "../record/choice-field.ts";
import { deliveryStatuses, webhookStatuses } from "./webhook-values.ts";

export const webhookChoiceSchemas = createNamedChoiceSchemas([
  [
    "WebhookStatus",
    webhookStatuses,
    "State of the webhook. ACTIVE: events are sent. PAUSED: events wait until it is ACTIVE again.",
  ],
  [
    "DeliveryStatus",
    deliveryStatuses,
    "State of the delivery. PENDING: an attempt is due at nextTryAt. DELIVERED: the receiver accepted the event. FAILED: the last attempt failed. DROPPED: the event was not sent.",
  ],
]);

export const choiceField = createChoiceFieldFactory(webhookChoiceSchemas);
