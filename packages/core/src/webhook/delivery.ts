import type { WebhookKeys } from "../report/run/worker-registry.ts";
import type { Clock } from "../base/file-store.ts";
import type { DeliveredEventType, DeliveryError, PauseCause, SealedSecret } from "./webhook-values.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses before attempts after a failure; the first attempt is immediate. docs/reference/resources/webhooks.md#attempts. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];
const jitter = 0.2;
/** Limits of a receiver's `Retry-After`. */
const minRetryAfterMs = second;
export const maxRetryAfterMs = hour;
/** How often a receiver may postpone one delivery before its attempts follow the schedule. */
const maxPostponed = 100;
/** A webhook is paused after failing for this long. */
export const failingForMs = 5 * 24 * hour;
/** A webhook is paused after no running worker could open its secret for this long. */
export const unreadableForMs = hour;
/** Pause of an endpoint after a failure, doubled up to the limit, so that one that hangs blocks no others. */
const firstBackoffMs = 5 * second;
const maxBackoffMs = 10 * minute;

export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly owner: string;
  readonly eventId: string;
  readonly type: DeliveredEventType;
  /** The event's data, without links. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /** Postgres's clock, read when the delivery was taken. Receivers refuse signatures with old times. */
  readonly now: Clock;
  /** Earlier attempts. */
  readonly tries: number;
  /** Earlier attempts that the receiver postponed by `Retry-After`. */
  readonly postponed: number;
  readonly url: string;
  /** The current one first, then earlier ones that still sign. */
  readonly secrets: readonly SealedSecret[];
  /** Whether the webhook's owner may still see the event. */
  readonly isOwnerAllowed: boolean;
  /** Whether the owner can be looked up, or was seen recently. */
  readonly isOwnerSeen: boolean;
  /** Consecutive failures of the webhook, over all deliveries. Concurrent attempts count as one. */
  readonly failuresInARow: number;
  /** How long all attempts have failed; null after a success. */
  readonly failingForMs: number | null;
  /** Identifies the hold, which fences the result. */
  readonly hold: string;
}

export type AttemptOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterMs: number | null }
  | {
      readonly kind: "unreachable";
      readonly code: DeliveryError;
      /** For operators; the webhook's owner may know less. */
      readonly found: DeliveryError;
    };

export type DeliveryResult =
  | {
      readonly kind: "delivered";
      readonly status: number;
      readonly durationMs: number;
    }
  | { readonly kind: "dropped"; readonly code: DeliveryError }
  | { readonly kind: "released"; readonly pause: PauseCause | null }
  | {
      readonly kind: "failed";
      readonly status: number | null;
      readonly code: DeliveryError;
      /** For operators; the webhook's owner sees `code`. */
      readonly found: DeliveryError;
      readonly durationMs: number;
      /** Null after the last attempt. */
      readonly nextInMs: number | null;
      /** Whether the receiver chose the delay: the attempt then does not count as scheduled. */
      readonly isPostponed: boolean;
      readonly backoffMs: number;
      readonly pause: PauseCause | null;
    };

export interface ClaimRules {
  /** A worker that holds a delivery longer counts as dead. */
  readonly holdMs: number;
  /** Concurrent deliveries per webhook, over all workers; one after a failure. */
  readonly perWebhook: number;
  /** Fingerprints of this worker's keys. Webhooks sealed by other keys are left to other workers. */
  readonly keys: WebhookKeys;
  /** Days for which stored authorities count if the owner cannot be looked up. */
  readonly confirmDays: number;
  readonly excludedOwners: readonly string[];
}

/** All methods reject with StoreUnavailableError. */
export interface DeliveryQueue {
  /** Of the owner served longest ago, for the longest waiting webhook; retries and first attempts alternate. May be null. */
  claim(rules: ClaimRules): Promise<ClaimedDelivery | null>;
  /**
   * Records the result and ends the hold. A delivery that another worker holds by now changes only if this worker delivered it. After a change
   * of the webhook's url, a failure does not count.
   */
  complete(
    taken: Pick<ClaimedDelivery, "id" | "webhookId" | "hold" | "url" | "failuresInARow">,
    result: DeliveryResult,
  ): Promise<void>;
}

/** Decides about the delivery and the webhook. `random` is from 0 to 1. */
export function decideAttempt(
  taken: Pick<ClaimedDelivery, "tries" | "postponed" | "failuresInARow" | "failingForMs">,
  outcome: AttemptOutcome,
  durationMs: number,
  random: () => number,
): DeliveryResult {
  if (outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300)
    return { kind: "delivered", status: outcome.status, durationMs };
  const status = outcome.kind === "answered" ? outcome.status : null;
  const code = outcome.kind === "answered" ? codeOf(outcome.status) : outcome.code;
  const requestedMs = requestedDelay(outcome);
  const isGone = code === "GONE";
  const isPostponed = requestedMs !== null && taken.postponed < maxPostponed;
  const delay = retryDelaysMs[taken.tries - taken.postponed];
  const scheduledMs =
    delay === undefined ? null : Math.max(Math.round(delay * (1 + jitter * (2 * random() - 1))), requestedMs ?? 0);
  const hasFailedLong = (taken.failingForMs ?? 0) >= failingForMs;
  return {
    kind: "failed",
    status,
    code,
    found: outcome.kind === "answered" ? code : outcome.found,
    durationMs,
    nextInMs: isGone ? null : isPostponed ? requestedMs : scheduledMs,
    isPostponed,
    // A requested delay replaces the doubling.
    backoffMs:
      requestedMs ??
      Math.max(Math.min(firstBackoffMs * 2 ** Math.min(taken.failuresInARow, 20), maxBackoffMs), durationMs),
    pause: isGone ? "GONE" : hasFailedLong ? "FAILING" : null,
  };
}

/** The requested delay within its limits; null if there is none. */
function requestedDelay(outcome: AttemptOutcome): number | null {
  if (outcome.kind !== "answered" || outcome.retryAfterMs === null) return null;
  if (outcome.status !== 429 && outcome.status !== 503) return null;
  return Math.min(Math.max(outcome.retryAfterMs, minRetryAfterMs), maxRetryAfterMs);
}

function codeOf(status: number): DeliveryError {
  if (status === 410) return "GONE";
  return status >= 300 && status < 400 ? "REDIRECTED" : "BAD_STATUS";
}
