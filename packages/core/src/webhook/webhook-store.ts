import { DomainError } from "../base/errors.ts";
import type { VisibleDeliveries } from "../report/lifecycle/visibility.ts";
import type { WebhookDelivery } from "./delivery-record.ts";
import type { Webhook, WebhookFields } from "./webhook-record.ts";
import type { SealedSecret, WebhookLimits } from "./webhook-values.ts";

export type WebhookChange = Partial<WebhookFields & Pick<Webhook, "pausedBecause">> & {
  /** If the owner cannot be looked up: the authorities of the caller's credentials. */
  readonly ownerAuthorities?: readonly string[];
};

/** Webhooks and their deliveries. All methods reject with StoreUnavailableError. */
export interface WebhookStore {
  /** Stores a webhook, or returns whose limit is reached, exactly, over all instances. */
  create(
    webhook: Pick<Webhook, "id" | "owner" | "url" | "events" | "reportTypes" | "of"> &
      Partial<Omit<WebhookFields, "status">> & {
        readonly ownerAuthorities: readonly string[];
        readonly secret: SealedSecret;
      },
    limits: WebhookLimits,
  ): Promise<Webhook | "too-many-of-owner" | "too-many-of-all">;
  /** Deleted ones are found until they are removed. */
  find(id: string): Promise<Webhook | null>;
  /**
   * Changes it by `change`, whose errors are rethrown; concurrent changes wait. Null if deleted or unknown. A resumed webhook, or one with a new url, forgets
   * earlier failures, at most once per minute. An unchanged webhook keeps its revision.
   */
  change(
    id: string,
    change: (stored: Webhook) => WebhookChange,
    limits: WebhookLimits,
  ): Promise<Webhook | "too-many-of-all" | null>;
  /** Deletes it: nothing more is sent. Rethrows errors of `precondition`. */
  remove(id: string, precondition: (stored: Webhook) => void): Promise<void>;
  /**
   * Replaces the secret. The previous one signs until `endsAt`, earlier ones until their own ends. `too-many` changes nothing: the first
   * earlier secret ends after `retryInMs`. Null if deleted.
   */
  rotate(
    id: string,
    secret: SealedSecret,
    overlapMs: number,
  ): Promise<{ readonly endsAt: Date } | { readonly refusal: "too-many"; readonly retryInMs: number } | null>;
  /** Null also for a delivery that the caller must not see. */
  findDelivery(webhookId: string, id: string, visible: VisibleDeliveries): Promise<WebhookDelivery | null>;
  /** Queues the delivery again, for an immediate attempt. Null if this webhook never had it, or the caller must not see it. */
  redeliver(
    webhookId: string,
    eventId: string,
    visible: VisibleDeliveries,
  ): Promise<WebhookDelivery | "too-many" | null>;
  /** Queues an event for this webhook only. */
  addTest(
    webhookId: string,
    delivery: { readonly id: string; readonly eventId: string },
  ): Promise<WebhookDelivery | "too-many">;
  /** Records that the owner was seen, where stored authorities still hold, at most once per hour. Returns the number. */
  confirmOwner(owner: string, lacking: readonly string[]): Promise<number>;
}

/** The error for a missing or hidden webhook. */
export function webhookNotFound(): DomainError {
  return new DomainError("not-found", "webhook-not-found", "There is no such webhook.");
}
