export {
  evaluateDeliveryAttempt,
  maxWebhookRetryAfterMs,
  pauseAfterSecretUnreadableMs,
  type DeliveryQueue,
  type DeliveryResult,
  type ClaimedDelivery,
  type DeliveryClaimRules,
  type DeliveryAttemptOutcome,
} from "./webhook/delivery.ts";
export { findNonReportEvent } from "./webhook/event-payloads.ts";
export type { SealedSecretStore } from "./webhook/sealed-secret-store.ts";
export { readWebhookInput, readWebhookPatch, type WebhookInputRules } from "./webhook/webhook-input.ts";
export {
  deliveryFilters,
  deliverySortFields,
  webhookFilters,
  webhookSortFields,
  type WebhookLists,
} from "./webhook/webhook-lists.ts";
export { deliveryRecord, type WebhookDelivery } from "./webhook/delivery-record.ts";
export { webhookRecord, type Webhook, type WebhookFields } from "./webhook/webhook-record.ts";
export { webhookNotFoundError, type WebhookChange, type WebhookStore } from "./webhook/webhook-store.ts";
export {
  deliveryErrorMeanings,
  deliveryStatuses,
  maxEarlierWebhookSecrets,
  maxWaitingDeliveriesPerWebhook,
  webhookPauseCauses,
  webhookSecretOverlapMs,
  webhookTestEventType,
  webhookAuthorities,
  webhookLimits,
  webhookScopes,
  webhookStatuses,
  type DeliveredEventType,
  type DeliveryFailureCode,
  type WebhookPauseCode,
  type SealedSecret,
  type WebhookEventType,
  type WebhookLimits,
} from "./webhook/webhook-values.ts";
export { normaliseWebhookUrl } from "./webhook/webhook-url.ts";
