// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type {
  DeliveredEventType,
  DeliveryErrorCode,
  DeliveryStatus,
  WebhookEventType,
  WebhookPauseCause,
  WebhookScope,
  WebhookStatus,
} from "./enumerations.ts";

/** An address that receives events. Its secret is shown only when it is made. */
export interface Webhook {
  /** Id of the webhook. */
  readonly id: string;
  /** The principal that made it. */
  readonly owner: string;
  /** Address that receives events: https on port 443 of a public host, or an address that the deployment allows. */
  readonly url: string;
  /** Events that it receives, each listed once. */
  readonly events: readonly WebhookEventType[];
  /** Report types whose events it receives; null for all. */
  readonly reportTypes: readonly string[] | null;
  readonly of: WebhookScope;
  readonly status: WebhookStatus;
  /** Null unless it is PAUSED. */
  readonly pausedBecause: {
    readonly code: WebhookPauseCause;
    /** The cause and the remedy, for its owner. */
    readonly detail: string;
  } | null;
  /** When it was made. */
  readonly createdAt: string;
  /** Time of the latest change by a caller, or of a pause by the service. Deliveries do not count. */
  readonly updatedAt: string;
}

/** A webhook that was made, with its secret. */
export interface CreatedWebhook extends Webhook {
  /** By which the receiver verifies what is sent: whsec_ and base64. Shown only once. */
  readonly secret: string;
}

/** A webhook to create. */
export interface WebhookInput {
  /** Address that receives events: https on port 443 of a public host, or an address that the deployment allows. */
  readonly url: string;
  /** Events that it receives, each listed once. */
  readonly events: readonly WebhookEventType[];
  /** Report types whose events it receives; null for all. */
  readonly reportTypes?: readonly string[] | null | undefined;
  readonly of?: WebhookScope | undefined;
}

/** A merge patch of a webhook: null takes a field back to its default. */
export interface WebhookPatch {
  /** Address that receives events: https on port 443 of a public host, or an address that the deployment allows. */
  readonly url?: string | undefined;
  /** Events that it receives, each listed once. */
  readonly events?: readonly WebhookEventType[] | undefined;
  /** Report types whose events it receives; null for all. */
  readonly reportTypes?: readonly string[] | null | undefined;
  readonly of?: WebhookScope | null | undefined;
  readonly status?: WebhookStatus | null | undefined;
}

/** A new secret of a webhook. */
export interface RotatedSecret {
  /** By which the receiver verifies what is sent: whsec_ and base64. Shown only once. */
  readonly secret: string;
  /** Until then the previous secret signs as well. */
  readonly previousSecretEndsAt: string;
}

/** One event for one webhook. */
export interface WebhookDelivery {
  /** Id of the delivery. */
  readonly id: string;
  /** The webhook that receives it. */
  readonly webhookId: string;
  /** ID of the event. The receiver gets it as webhook-id, the same in every attempt. */
  readonly eventId: string;
  readonly type: DeliveredEventType;
  /** The report that it is about. */
  readonly reportId: string | null;
  readonly status: DeliveryStatus;
  /** Attempts since it was last queued. */
  readonly tries: number;
  /** When it is tried next, while it is PENDING. */
  readonly nextTryAt: string | null;
  /** The HTTP status of the last try that was answered. */
  readonly lastStatus: number | null;
  readonly lastErrorCode: DeliveryErrorCode | null;
  /** How long the last try took, in milliseconds. */
  readonly durationMs: number | null;
  /** When the event happened. */
  readonly createdAt: string;
  /** When it was delivered, given up or dropped. */
  readonly endedAt: string | null;
}
