export {
  evaluateDeliveryAttempt,
  maxRetryAfterMs,
  pauseAfterUnreadableMs,
  type DeliveryQueue,
  type DeliveryResult,
  type ClaimedDelivery,
  type DeliveryClaimRules,
  type AttemptOutcome,
} from "./webhook/delivery.ts";
export { findNonReportEvent } from "./webhook/event-payloads.ts";
export type { SealedSecretStore } from "./webhook/sealed-secret-store.ts";
export { readWebhookInput, readWebhookPatch, type WebhookRules } from "./webhook/webhook-input.ts";
export {
  deliveryFilters,
  deliverySorts,
  webhookFilters,
  webhookSorts,
  type WebhookLists,
} from "./webhook/webhook-lists.ts";
export { deliveryRecord, type WebhookDelivery } from "./webhook/delivery-record.ts";
export { webhookRecord, type Webhook, type WebhookFields } from "./webhook/webhook-record.ts";
export { webhookNotFoundError, type WebhookChange, type WebhookStore } from "./webhook/webhook-store.ts";
export {
  deliveryErrors,
  deliveryStatuses,
  maxEarlierSecrets,
  maxWaitingDeliveries,
  pauseCauses,
  secretOverlapMs,
  testEventType,
  webhookAuthorities,
  webhookLimits,
  webhookScopes,
  webhookStatuses,
  type DeliveredEventType,
  type DeliveryError,
  type PauseCause,
  type SealedSecret,
  type WebhookEventType,
  type WebhookLimits,
} from "./webhook/webhook-values.ts";
export { normaliseUrl } from "./webhook/webhook-url.ts";
