import type {
  DeliveredEventType,
  DeliveryErrorCode,
  DeliveryStatus,
  WebhookEventType,
  WebhookPauseCause,
  WebhookScope,
  WebhookStatus,
} from "./enumerations.ts";
import type { ListQuery } from "./queries.ts";

/** The body that makes a webhook. docs/contract.md §9.1. */
export interface WebhookInput {
  /** Where events are sent to: https on port 443 of a public host, or what the deployment allows. */
  readonly url: string;
  /** What it is told of, each once. */
  readonly events: readonly WebhookEventType[];
  /** Of which types of reports; null, the default, for all. */
  readonly reportTypes?: readonly string[] | null | undefined;
  /** `OWN`, the default: the owner's reports. `ALL`: everybody's, for holders of REPORTS_ADMIN. */
  readonly of?: WebhookScope | undefined;
}

/** A merge patch of a webhook: null takes what has a default back to it. docs/contract.md §9.1. */
export interface WebhookPatch extends Partial<Omit<WebhookInput, "of">> {
  readonly of?: WebhookScope | null | undefined;
  readonly status?: WebhookStatus | null | undefined;
}

/** An address that is told of events. docs/contract.md §9.1. */
export interface Webhook {
  readonly id: string;
  /** The principal that made it. */
  readonly owner: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  readonly reportTypes: readonly string[] | null;
  readonly of: WebhookScope;
  /** Whether anything is sent. What happens while it is PAUSED waits. */
  readonly status: WebhookStatus;
  /** Null unless it is PAUSED. */
  readonly pausedBecause: { readonly code: WebhookPauseCause; readonly detail: string } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A webhook that was made. */
export interface CreatedWebhook extends Webhook {
  /** By which the receiver verifies what is sent: `whsec_` and base64. Told this once. */
  readonly secret: string;
}

/** A new secret of a webhook. */
export interface RotatedSecret {
  readonly secret: string;
  /** Until then the secret before signs as well. */
  readonly previousSecretEndsAt: string;
}

/** One event on its way to one webhook. docs/contract.md §9.1. */
export interface WebhookDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** What the receiver sees as `webhook-id`, the same at every try. */
  readonly eventId: string;
  readonly type: DeliveredEventType;
  readonly reportId: string | null;
  readonly status: DeliveryStatus;
  /** How often it was sent since it was last put in line. */
  readonly tries: number;
  readonly nextTryAt: string | null;
  readonly lastStatus: number | null;
  readonly lastErrorCode: DeliveryErrorCode | null;
  /** How long the last try took, in milliseconds. */
  readonly durationMs: number | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** What a list of webhooks is asked for. docs/contract.md §9.1. */
export interface WebhookQuery extends ListQuery {
  readonly status?: Webhook["status"] | readonly Webhook["status"][] | undefined;
}

/** What a list of deliveries is asked for. docs/contract.md §9.1. */
export interface DeliveryQuery extends ListQuery {
  readonly status?: WebhookDelivery["status"] | readonly WebhookDelivery["status"][] | undefined;
}

/** What a receiver is sent. docs/contract.md §9.2. */
export interface WebhookPayload {
  readonly type: DeliveredEventType;
  /** When it happened. */
  readonly timestamp: string;
  /** Of a report: `id`, `reportType`, `status`, `revision`, `scheduleId`, `requestId` and `links`. */
  readonly data: Readonly<Record<string, unknown>>;
}
