import { DomainError } from "../base/errors.ts";
import type { DeliveryVisibilityFilter } from "../report/lifecycle/visibility.ts";
import type { WebhookDelivery } from "./delivery-record.ts";
import type { Webhook, WebhookFields } from "./webhook-record.ts";
import type { SealedSecret, WebhookLimits } from "./webhook-values.ts";

export type WebhookChange = Partial<WebhookFields & Pick<Webhook, "pausedBecause">> & {
  /** Authorities of the caller's credentials. They are stored if the owner is not a local user. */
  readonly ownerAuthorities?: readonly string[];
};

export interface WebhookStore {
  /** Stores a webhook, or returns which limit is reached. Both limits are exact over all API instances. */
  create(
    webhook: Pick<Webhook, "id" | "owner" | "url" | "events" | "reportTypes" | "of"> &
      Partial<Omit<WebhookFields, "status">> & {
        readonly ownerAuthorities: readonly string[];
        readonly secret: SealedSecret;
      },
    limits: WebhookLimits,
  ): Promise<Webhook | "too-many-of-owner" | "too-many-of-all">;
  find(id: string): Promise<Webhook | null>;
  /**
   * Changes a webhook. Errors of `change` are rethrown. Concurrent changes wait for each other. A webhook that is resumed or gets another URL
   * forgets its failures. Its attempts then begin again immediately, but at most once per minute. If nothing changes, the revision stays. Returns
   * null if the webhook is deleted or unknown.
   */
  change(
    id: string,
    change: (stored: Webhook) => WebhookChange,
    limits: WebhookLimits,
  ): Promise<Webhook | "too-many-of-all" | null>;
  remove(id: string, precondition: (stored: Webhook) => void): Promise<void>;
  /**
   * Replaces the secret. The previous secret still signs until `endsAt`. If too many earlier secrets are valid, changes nothing and returns
   * `too-many`, with the time until the oldest ends. Returns null if the webhook is deleted.
   */
  rotate(
    id: string,
    secret: SealedSecret,
    overlapMs: number,
  ): Promise<{ readonly endsAt: Date } | { readonly refusal: "too-many"; readonly retryInMs: number } | null>;
  findDelivery(webhookId: string, id: string, visible: DeliveryVisibilityFilter): Promise<WebhookDelivery | null>;
  /** Queues another delivery of an event, for an immediate attempt. Returns null if the event is unknown or hidden from the caller. */
  redeliver(
    webhookId: string,
    eventId: string,
    visible: DeliveryVisibilityFilter,
  ): Promise<WebhookDelivery | "too-many" | null>;
  addTest(
    webhookId: string,
    delivery: { readonly id: string; readonly eventId: string },
  ): Promise<WebhookDelivery | "too-many">;
  /**
   * Records that the owner sent a request, at most once per hour. Skips webhooks that need a `lacking` authority. Returns the number of webhooks
   * that it updated.
   */
  confirmOwner(owner: string, lacking: readonly string[]): Promise<number>;
}

export function webhookNotFoundError(): DomainError {
  return new DomainError("not-found", "webhook-not-found", "There is no such webhook.");
}
