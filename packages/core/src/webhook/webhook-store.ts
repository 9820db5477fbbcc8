import { DomainError } from "../base/errors.ts";
import type { VisibleDeliveries } from "../report/lifecycle/visibility.ts";
import type { WebhookDelivery } from "./delivery-record.ts";
import type { Webhook, WebhookFields } from "./webhook-record.ts";
import type { SealedSecret, WebhookLimits } from "./webhook-values.ts";

/** What may be changed of a webhook. */
export type WebhookChange = Partial<WebhookFields & Pick<Webhook, "pausedBecause">> & {
  /** Of an owner whom nobody can look up: what the credentials of this moment grant. */
  readonly ownerAuthorities?: readonly string[];
};

/** Where webhooks and what is on its way to them are kept. All methods reject with StoreUnavailableError. */
export interface WebhookStore {
  /** Keeps a webhook unless there are too many, exactly, over all instances: then says of whose. */
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
