export const webhookEventTypes = [
  "report.succeeded",
  "report.failed",
  "report.cancelled",
  "report.expired",
  "schedule.paused",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Type of the event that a caller sends as a test. Webhooks cannot subscribe to it. */
export const webhookTestEventType = "webhook.test";
export type DeliveredEventType = WebhookEventType | typeof webhookTestEventType;

export const webhookScopes = ["OWN", "ALL"] as const;

/** States of a webhook. While it is PAUSED, its events wait. */
export const webhookStatuses = ["ACTIVE", "PAUSED"] as const;

export const webhookPauseCauses = {
  REQUESTED: "A caller has paused it.",
  GONE: "The receiver answered 410 Gone.",
  FAILING: "Every attempt of five days has failed.",
  OWNER_NOT_SEEN:
    "For too long no request of the owner has shown that they still have their authorities. Resume it as the owner, or after such a request.",
  SECRET_UNREADABLE:
    "No running worker had the key of its secret for an hour. Resume it once the key is back. If the key is lost, rotate the secret first.",
} as const;
export type WebhookPauseCode = keyof typeof webhookPauseCauses;

/** States of a delivery. Only a PENDING delivery is attempted. */
export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED", "DROPPED"] as const;

/** Why the last attempt failed or the event was not sent, with explanations. No text of the receiver is used, because it could be hostile. */
export const deliveryErrorMeanings = {
  BAD_STATUS: "The receiver answered with a status other than 2xx.",
  REDIRECTED: "The receiver answered with a redirect, which is never followed.",
  GONE: "The receiver answered 410 Gone.",
  TIMED_OUT:
    "The receiver did not answer within 15 s, the host name was not resolved within 5 s, or the connection was not made within 5 s more.",
  ADDRESS_FORBIDDEN: "The service may not send to the url, or may no longer do so.",
  NAME_NOT_FOUND: "The host name, which the deployment allows by name, has no address.",
  TLS_FAILED: "The receiver's certificate could not be verified.",
  CONNECTION_FAILED:
    "There was no connection, or it broke. For example, no server listens at the address, or the host name has no address to which the service may connect.",
  TOO_MANY: "The webhook already had the highest allowed number of waiting deliveries.",
  AUTHORITY_LOST: "The webhook's owner may no longer see the report or schedule of the event.",
} as const;
export type DeliveryFailureCode = keyof typeof deliveryErrorMeanings;

/** Authorities for webhooks: `have` to own webhooks, `all` to receive the events of all reports. docs/reference/resources/access.md#authorities. */
export const webhookAuthorities = { have: "WEBHOOKS_WRITE", all: "REPORTS_ADMIN" } as const;

/** A webhook secret that is sealed (encrypted), so that the database alone does not reveal it. */
export type SealedSecret = string;

export interface WebhookLimits {
  readonly perOwner: number;
  readonly ofAll: number;
}

export const webhookLimits: WebhookLimits = { perOwner: 20, ofAll: 100 };

/** Maximum waiting deliveries per webhook. Further events are dropped, and callers cannot queue more. */
export const maxWaitingDeliveriesPerWebhook = 10_000;

/** Milliseconds for which the previous secret still signs after a rotation. */
export const webhookSecretOverlapMs = 24 * 3_600_000;

/** Maximum number of earlier secrets that still sign. Another rotation is refused, because each earlier secret was promised its full time. */
export const maxEarlierWebhookSecrets = 4;
