import { DomainError } from "../base/errors.ts";
import type { VisibleDeliveries } from "../report/lifecycle/visibility.ts";

/** What a webhook can be told of. docs/contract.md §9.2. */
export const webhookEventTypes = [
  "report.succeeded",
  "report.failed",
  "report.cancelled",
  "report.expired",
  "schedule.paused",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The event that a caller sends to a webhook to try it; nothing subscribes to it. */
export const testEventType = "webhook.test";
/** What a delivery may tell. */
export type DeliveredEventType = WebhookEventType | typeof testEventType;

/** Whose reports a webhook is told of: its owner's, or everybody's. */
export const webhookScopes = ["OWN", "ALL"] as const;
export type WebhookScope = (typeof webhookScopes)[number];

/** Whether anything is sent. What happens while it is paused waits. */
export const webhookStatuses = ["ACTIVE", "PAUSED"] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Why a webhook is paused, with what it means. */
export const pauseCauses = {
  REQUESTED: "A caller has paused it.",
  GONE: "The receiver answered 410 Gone.",
  FAILING: "Every try of five days has failed.",
  OWNER_NOT_SEEN:
    "For too long no request of the owner has shown that they still have their authorities. Resume it as the owner, or after such a request.",
  SECRET_UNREADABLE:
    "No running worker had the key of its secret for an hour. Resume it once the key is back. If the key is lost, rotate the secret first.",
} as const;
export type PauseCause = keyof typeof pauseCauses;

/** What becomes of a delivery. Only a PENDING one is tried. */
export const deliveryStatuses = ["PENDING", "DELIVERED", "FAILED", "DROPPED"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why the last try of a delivery failed, or why there is none, with what it means. Never what the receiver said. */
export const deliveryErrors = {
  BAD_STATUS: "The receiver answered with a status other than 2xx.",
  REDIRECTED: "The receiver answered with a redirect, which is never followed.",
  GONE: "The receiver answered 410 Gone.",
  TIMED_OUT:
    "The receiver did not answer within 15 s, or its host name was not resolved within 5 s, or there was no connection after 5 s more.",
  ADDRESS_FORBIDDEN: "The url is not one that the service may send to, or not any more.",
  NAME_NOT_FOUND: "The host name, which the deployment allows by name, has no address.",
  TLS_FAILED: "The receiver's certificate could not be verified.",
  CONNECTION_FAILED:
    "There was no connection, or it broke: nobody listens there, or the host name leads nowhere that the service may connect to.",
  TOO_MANY: "More deliveries were waiting for this webhook than may wait.",
  AUTHORITY_LOST: "The webhook's owner may no longer know of it.",
} as const;
export type DeliveryError = keyof typeof deliveryErrors;

/** The authorities that count for webhooks: to have them, and to be told of everybody's reports. docs/contract.md §7.3. */
export const webhookAuthorities = { have: "WEBHOOKS_WRITE", all: "REPORTS_ADMIN" } as const;

/** An address that is told of events. docs/contract.md §9. */
export interface Webhook {
  readonly id: string;
  /** The principal that made it. */
  readonly owner: string;
  readonly url: string;
  readonly events: readonly WebhookEventType[];
  /** Null: of all types. */
  readonly reportTypes: readonly string[] | null;
  readonly of: WebhookScope;
  readonly status: WebhookStatus;
  readonly pausedBecause: PauseCause | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Rises with every change that callers make or see. */
  readonly revision: number;
  readonly deletedAt: Date | null;
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** The same for all webhooks that are told of the event, and at every try. */
  readonly eventId: string;
  readonly type: DeliveredEventType;
  /** The report that it is about. */
  readonly reportId: string | null;
  readonly status: DeliveryStatus;
  /** How often it was sent since it was last put in line. */
  readonly tries: number;
  /** Null unless it is PENDING. */
  readonly nextTryAt: Date | null;
  /** The HTTP status of the last try, where there was an answer. */
  readonly lastStatus: number | null;
  readonly lastErrorCode: DeliveryError | null;
  /** How long the last try took. */
  readonly durationMs: number | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** A secret as it is stored: sealed, so that the database alone does not tell it. */
export type SealedSecret = string;

/** How many webhooks there may be. */
export interface WebhookLimits {
  readonly perOwner: number;
  /** Of those that are told of everybody's reports. */
  readonly ofAll: number;
}

/** docs/contract.md §9.1. */
export const webhookLimits: WebhookLimits = { perOwner: 20, ofAll: 100 };

/** How many deliveries may wait for a webhook. Events beyond that are dropped, and nothing is put in line by hand. */
export const maxWaitingDeliveries = 10_000;

/** How long a secret still signs after a rotation. */
export const secretOverlapMs = 24 * 3_600_000;

/** How many earlier secrets sign next to the current one. A further rotation is refused, because each keeps its promised time. */
export const maxEarlierSecrets = 4;

/** What may be changed of a webhook. */
export type WebhookChange = Partial<
  Pick<Webhook, "url" | "events" | "reportTypes" | "of" | "status" | "pausedBecause">
> & {
  /** Of an owner whom nobody can look up: what the credentials of this moment grant. */
  readonly ownerAuthorities?: readonly string[];
};

/** Where webhooks and what is on its way to them are kept. All methods reject with StoreUnavailableError. */
export interface WebhookStore {
  /** Keeps a webhook unless there are too many, exactly, over all instances: then says of whose. */
  create(
    webhook: Pick<Webhook, "id" | "owner" | "url" | "events" | "reportTypes" | "of"> & {
      readonly ownerAuthorities: readonly string[];
      readonly secret: SealedSecret;
    },
    limits: WebhookLimits,
  ): Promise<Webhook | "too-many-of-owner" | "too-many-of-all">;
  /** Deleted ones are found until they are removed. */
  find(id: string): Promise<Webhook | null>;
  /**
   * Changes it to what `change` makes of it; concurrent changes wait for each other, and what it throws is passed on. Null when it is deleted
   * or was never there. One that is resumed, or leads elsewhere, begins again, at most once a minute: earlier failures are forgotten. A change to what it is already
   * has no revision of its own.
   */
  change(
    id: string,
    change: (stored: Webhook) => WebhookChange,
    limits: WebhookLimits,
  ): Promise<Webhook | "too-many-of-all" | null>;
  /** Ends it, once: nothing is sent any more. What `precondition` throws of one that is still there is passed on. */
  remove(id: string, precondition: (stored: Webhook) => void): Promise<void>;
  /**
   * Replaces the secret. The one before signs until `endsAt`, and those before it until the times that they were given. `too-many` changes
   * nothing: the first of the earlier secrets ends after `retryInMs`. Null when the webhook is deleted.
   */
  rotate(
    id: string,
    secret: SealedSecret,
    overlapMs: number,
  ): Promise<{ readonly endsAt: Date } | { readonly refusal: "too-many"; readonly retryInMs: number } | null>;
  /** Null also for a delivery that the caller may not know of. */
  findDelivery(webhookId: string, id: string, visible: VisibleDeliveries): Promise<WebhookDelivery | null>;
  /** Queues the delivery of an event again, for an immediate attempt. Null where this webhook never had it, or the caller may not know of it. */
  redeliver(
    webhookId: string,
    eventId: string,
    visible: VisibleDeliveries,
  ): Promise<WebhookDelivery | "too-many" | null>;
  /** Puts an event in line that is for this webhook alone. */
  addTest(
    webhookId: string,
    delivery: { readonly id: string; readonly eventId: string },
  ): Promise<WebhookDelivery | "too-many">;
  /**
   * Notes that the owner was seen, for each webhook whose stored authorities the owner still has. Writes each at
   * most once an hour; returns how many.
   */
  confirmOwner(owner: string, lacking: readonly string[]): Promise<number>;
}

/** The error for a webhook that is not there, or that the caller may not know of. */
export function webhookNotFound(): DomainError {
  return new DomainError("not-found", "webhook-not-found", "There is no such webhook.");
}
