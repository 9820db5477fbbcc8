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
  /** ID of the webhook. */
  readonly id: string;
  /** The principal that created the webhook. */
  readonly owner: string;
  /** Address that receives events: https on port 443 of a public host, or an address that the deployment allows. */
  readonly url: string;
  /** Types of events that the webhook receives, each listed once. */
  readonly events: readonly WebhookEventType[];
  /** Report types whose events the webhook receives; null for all. */
  readonly reportTypes: readonly string[] | null;
  readonly of: WebhookScope;
  readonly status: WebhookStatus;
  /** Why the webhook is paused; null unless it is PAUSED. */
  readonly pausedBecause: {
    readonly code: WebhookPauseCause;
    /** The cause and the remedy, for its owner. */
    readonly detail: string;
  } | null;
  /** When an event was last delivered, up to a minute early; null before the first delivery. */
  readonly lastDeliveredAt: string | null;
  /** Since when attempts have failed; null after a delivery, and after the webhook is resumed or gets another url. */
  readonly failingSince: string | null;
  /** When the webhook was created. */
  readonly createdAt: string;
  /** Time of the latest change by a caller, or of a pause by the service. Deliveries do not count. */
  readonly updatedAt: string;
}

/** A webhook that was made, with its secret. */
export interface CreatedWebhook extends Webhook {
  /** Secret with which the receiver verifies signatures: whsec_ and base64. Only this response contains it. */
  readonly secret: string;
}

/** A webhook to create. */
export interface WebhookInput {
  /** Address that receives events: https on port 443 of a public host, or an address that the deployment allows. */
  readonly url: string;
  /** Types of events that the webhook receives, each listed once. */
  readonly events: readonly WebhookEventType[];
  /** Report types whose events the webhook receives; null for all. */
  readonly reportTypes?: readonly string[] | null | undefined;
  readonly of?: WebhookScope | undefined;
}

/** A merge patch of a webhook. Null resets a field to its default. */
export interface WebhookPatch {
  /** Address that receives events: https on port 443 of a public host, or an address that the deployment allows. */
  readonly url?: string | undefined;
  /** Types of events that the webhook receives, each listed once. */
  readonly events?: readonly WebhookEventType[] | undefined;
  /** Report types whose events the webhook receives; null for all. */
  readonly reportTypes?: readonly string[] | null | undefined;
  readonly of?: WebhookScope | null | undefined;
  readonly status?: WebhookStatus | null | undefined;
}

/** A new secret of a webhook. */
export interface RotatedSecret {
  /** Secret with which the receiver verifies signatures: whsec_ and base64. Only this response contains it. */
  readonly secret: string;
  /** Until this time, the previous secret signs in addition to the new one. */
  readonly previousSecretEndsAt: string;
}

/** One event for one webhook. */
export interface WebhookDelivery {
  /** ID of the delivery. */
  readonly id: string;
  /** The webhook to which the event is sent. */
  readonly webhookId: string;
  /** ID of the event. The receiver gets it in the header webhook-id, which is the same in every attempt. */
  readonly eventId: string;
  readonly type: DeliveredEventType;
  /** The report that the event is about; null if it is about no report. */
  readonly reportId: string | null;
  /** Title of that report; null if it is about no report. */
  readonly reportTitle: string | null;
  readonly status: DeliveryStatus;
  /** Number of attempts since the delivery was last queued. */
  readonly tries: number;
  /** When the next attempt is due; null unless the delivery is PENDING. */
  readonly nextTryAt: string | null;
  /** HTTP status of the response to the last attempt; null if that attempt got no response. */
  readonly lastStatus: number | null;
  readonly lastErrorCode: DeliveryErrorCode | null;
  /** Duration of the last attempt in milliseconds; null if there was no connection. */
  readonly durationMs: number | null;
  /** When the event happened. */
  readonly createdAt: string;
  /** When the delivery became DELIVERED, FAILED or DROPPED; null while it is PENDING. */
  readonly endedAt: string | null;
}
