import type { WebhookKeys } from "../report/run/worker-registry.ts";
import type { Clock } from "../base/file-store.ts";
import type { DeliveredEventType, DeliveryError, PauseCause, SealedSecret } from "./webhook-values.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** When a delivery is tried after the failure of the try before; the first is at once. docs/reference/resources/webhooks.md#attempts. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];
/** How much earlier or later than that. */
const jitter = 0.2;
/** Bounds of the delay that a receiver may ask for by `Retry-After`. */
const minRetryAfterMs = second;
export const maxRetryAfterMs = hour;
/** How often a receiver may postpone one delivery by `Retry-After` before its attempts follow the schedule. */
const maxPostponed = 100;
/** A webhook all of whose tries have failed for so long is paused. */
export const failingForMs = 5 * 24 * hour;
/** A webhook is paused after no running worker could open its secret for this long. */
export const unreadableForMs = hour;
/** How long an endpoint rests after a failure: it doubles, up to here, so that one that hangs takes nobody else's turn. */
const firstRestMs = 5 * second;
const maxRestMs = 10 * minute;

/** A delivery that a worker has taken. */
export interface TakenDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** Whose webhook it is. */
  readonly owner: string;
  readonly eventId: string;
  readonly type: DeliveredEventType;
  /** What the event says, beside the links. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /** Postgres's clock, read when the delivery was taken. Signatures hold its time, because receivers refuse old ones. */
  readonly now: Clock;
  /** Tries before this one. */
  readonly tries: number;
  /** How many of those the receiver has postponed by `Retry-After`. */
  readonly postponed: number;
  readonly url: string;
  /** The current one first, then those before that still sign. */
  readonly secrets: readonly SealedSecret[];
  /** Whether the webhook's owner may still know of the event. */
  readonly isOwnerAllowed: boolean;
  /** Whether the owner can be looked up, or was seen recently. */
  readonly isOwnerSeen: boolean;
  /** Failed attempts of the webhook in a row, of any delivery. Attempts at the same time count as one. */
  readonly failuresInARow: number;
  /** How long all tries of the webhook have failed; null where the last one succeeded. */
  readonly failingForMs: number | null;
  /** By which the delivery is held: the fence of its settlement. */
  readonly hold: string;
}

/** What one try found. */
export type TryOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterMs: number | null }
  | {
      readonly kind: "unreachable";
      readonly code: DeliveryError;
      /** What operators are told, where that is more than the webhook's owner may know. */
      readonly found: DeliveryError;
    };

/** What is written down of a delivery that was taken. */
export type Settlement =
  | {
      readonly kind: "delivered";
      readonly status: number;
      readonly durationMs: number;
    }
  | { readonly kind: "dropped"; readonly code: DeliveryError }
  /** Nothing was sent: it keeps its place. */
  | { readonly kind: "released"; readonly pause: PauseCause | null }
  | {
      readonly kind: "failed";
      readonly status: number | null;
      readonly code: DeliveryError;
      /** For operators; `code` is what the webhook's owner is told. */
      readonly found: DeliveryError;
      readonly durationMs: number;
      /** Null: it was the last try. */
      readonly nextInMs: number | null;
      /** Whether the receiver chose that delay: the attempt then does not count as a scheduled one. */
      readonly isPostponed: boolean;
      /** For how long nothing is sent to the endpoint. */
      readonly restMs: number;
      readonly pause: PauseCause | null;
    };

/** How deliveries are taken. */
export interface TakeRules {
  /** How long a delivery is held. A worker that takes longer counts as dead. */
  readonly holdMs: number;
  /** How many deliveries of one webhook are sent at the same time, over all workers. One whose last try failed gets one. */
  readonly perWebhook: number;
  /** Fingerprints of the keys that this worker has. Webhooks whose secret another key has sealed are left to workers that have it. */
  readonly keys: WebhookKeys;
  /** Days for which the stored authorities of an owner count without another request, if the owner cannot be looked up. */
  readonly confirmDays: number;
  /** Owners whose deliveries are not taken now. */
  readonly besides: readonly string[];
}

/** Where deliveries wait for workers. All methods reject with StoreUnavailableError. */
export interface DeliveryQueue {
  /**
   * Takes and holds a delivery that is due: of the owner whose last turn is longest ago, for the webhook that has waited longest. Retries and
   * untried deliveries of a webhook alternate. Null: nothing is due.
   */
  take(rules: TakeRules): Promise<TakenDelivery | null>;
  /**
   * Records the result and ends the hold. A delivery that another worker holds by now changes only if this worker delivered it. If the webhook
   * has another url by now, a failed try counts for nothing.
   */
  settle(
    taken: Pick<TakenDelivery, "id" | "webhookId" | "hold" | "url" | "failuresInARow">,
    settlement: Settlement,
  ): Promise<void>;
}

/** Judges a try: what becomes of the delivery, and of the webhook. `random` gives a number from 0 to 1. */
export function judgeTry(
  taken: Pick<TakenDelivery, "tries" | "postponed" | "failuresInARow" | "failingForMs">,
  outcome: TryOutcome,
  durationMs: number,
  random: () => number,
): Settlement {
  if (outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300)
    return { kind: "delivered", status: outcome.status, durationMs };
  const status = outcome.kind === "answered" ? outcome.status : null;
  const code = outcome.kind === "answered" ? codeOf(outcome.status) : outcome.code;
  const askedMs = askedDelay(outcome);
  const isGone = code === "GONE";
  const isPostponed = askedMs !== null && taken.postponed < maxPostponed;
  const delay = retryDelaysMs[taken.tries - taken.postponed];
  const scheduledMs =
    delay === undefined ? null : Math.max(Math.round(delay * (1 + jitter * (2 * random() - 1))), askedMs ?? 0);
  const hasFailedLong = (taken.failingForMs ?? 0) >= failingForMs;
  return {
    kind: "failed",
    status,
    code,
    found: outcome.kind === "answered" ? code : outcome.found,
    durationMs,
    nextInMs: isGone ? null : isPostponed ? askedMs : scheduledMs,
    isPostponed,
    // A delay that the receiver asks for replaces the doubling.
    restMs: askedMs ?? Math.max(Math.min(firstRestMs * 2 ** Math.min(taken.failuresInARow, 20), maxRestMs), durationMs),
    pause: isGone ? "GONE" : hasFailedLong ? "FAILING" : null,
  };
}

/** The delay that a receiver asks for, within bounds; null if it asks for none. */
function askedDelay(outcome: TryOutcome): number | null {
  if (outcome.kind !== "answered" || outcome.retryAfterMs === null) return null;
  if (outcome.status !== 429 && outcome.status !== 503) return null;
  return Math.min(Math.max(outcome.retryAfterMs, minRetryAfterMs), maxRetryAfterMs);
}

function codeOf(status: number): DeliveryError {
  if (status === 410) return "GONE";
  return status >= 300 && status < 400 ? "REDIRECTED" : "BAD_STATUS";
}
