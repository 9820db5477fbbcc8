import type { WebhookKeyFingerprints } from "../report/run/worker-registry.ts";
import type { Clock } from "../base/file-store.ts";
import type { DeliveredEventType, DeliveryFailureCode, WebhookPauseCode, SealedSecret } from "./webhook-values.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Delays before each further attempt after a failure. The first attempt is immediate. docs/reference/resources/webhooks.md#attempts. */
export const deliveryRetryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  10 * hourMs,
];
const jitterShare = 0.2;
/**
 * Minimum delay that a receiver gets by `Retry-After`. A shorter one is raised to it, and one above maxWebhookRetryAfterMs is reduced to that
 * maximum.
 */
const minRetryAfterMs = secondMs;
export const maxWebhookRetryAfterMs = hourMs;
/** Largest number of times that a receiver may postpone one delivery by `Retry-After`. After that, attempts follow deliveryRetryDelaysMs. */
const maxPostponements = 100;
/** A webhook is paused if all its attempts have failed for this long. */
export const webhookPauseAfterFailingMs = 5 * 24 * hourMs;
/** A webhook is paused if no running worker has been able to decrypt its secret for this long. */
export const pauseAfterSecretUnreadableMs = hourMs;
/** Back-off of a webhook after its first failure. It doubles with each failure up to maxBackoffMs, so that a hanging receiver delays no others. */
const firstBackoffMs = 5 * secondMs;
const maxBackoffMs = 10 * minuteMs;

export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly owner: string;
  readonly eventId: string;
  readonly type: DeliveredEventType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
  /**
   * The time by Postgres's clock: the time of the claim plus the time since then. Receivers refuse signatures with old times, so this machine's
   * clock is not used.
   */
  readonly now: Clock;
  readonly tries: number;
  /** Number of earlier attempts that the receiver postponed by `Retry-After`. */
  readonly postponed: number;
  readonly url: string;
  /** Secrets that sign the request: the current one first, then earlier ones that are still valid. */
  readonly secrets: readonly SealedSecret[];
  readonly isOwnerAllowed: boolean;
  /** Whether the owner is a local user, or has sent a request recently. */
  readonly isOwnerSeen: boolean;
  /** Consecutive failures of the webhook over all its deliveries. Concurrent attempts count as one. */
  readonly failuresInARow: number;
  readonly failingForMs: number | null;
  /** ID of this worker's claim. If another worker has claimed the delivery since, this worker can still record a success, and nothing else. */
  readonly hold: string;
}

export type DeliveryAttemptOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterMs: number | null }
  | {
      readonly kind: "unreachable";
      readonly code: DeliveryFailureCode;
      /** The actual error, only for operators. `code` can be less specific, because the webhook's owner sees it. */
      readonly found: DeliveryFailureCode;
    };

export type DeliveryResult =
  | { readonly kind: "delivered"; readonly status: number; readonly durationMs: number }
  | { readonly kind: "dropped"; readonly code: DeliveryFailureCode }
  | { readonly kind: "released"; readonly pause: WebhookPauseCode | null }
  | {
      readonly kind: "failed";
      readonly status: number | null;
      readonly code: DeliveryFailureCode;
      readonly found: DeliveryFailureCode;
      readonly durationMs: number;
      readonly nextInMs: number | null;
      /** Whether the receiver requested the delay, so that it uses up none of retryDelaysMs. */
      readonly isPostponed: boolean;
      readonly backoffMs: number;
      readonly pause: WebhookPauseCode | null;
    };

export interface DeliveryClaimRules {
  /** A worker that keeps a claimed delivery for more milliseconds is considered dead. */
  readonly holdMs: number;
  /** Largest number of concurrent attempts per webhook over all workers. After a failure, only one is allowed. */
  readonly perWebhook: number;
  /** Fingerprints of this worker's sealing keys. The worker claims only deliveries whose secrets it can open. */
  readonly keys: WebhookKeyFingerprints;
  /** Days for which the stored authorities of an owner count. A local user's authorities are looked up instead. */
  readonly confirmDays: number;
  readonly excludedOwners: readonly string[];
}

export interface DeliveryQueue {
  /** Claims a due delivery; null if none is due. Serves owners in turn, then each owner's webhooks. Retries and first attempts alternate. */
  claim(rules: DeliveryClaimRules): Promise<ClaimedDelivery | null>;
  /**
   * Records the result and ends the claim. If the delivery was claimed again, only a success counts. If the URL has changed, a failure does not
   * count.
   */
  complete(
    taken: Pick<ClaimedDelivery, "id" | "webhookId" | "hold" | "url" | "failuresInARow">,
    result: DeliveryResult,
  ): Promise<void>;
}

/** Decides from an attempt's outcome what happens to the delivery, and whether its webhook is paused. `random` returns numbers from 0 to 1. */
export function evaluateDeliveryAttempt(
  taken: Pick<ClaimedDelivery, "tries" | "postponed" | "failuresInARow" | "failingForMs">,
  outcome: DeliveryAttemptOutcome,
  durationMs: number,
  random: () => number,
): DeliveryResult {
  if (outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300)
    return { kind: "delivered", status: outcome.status, durationMs };
  const status = outcome.kind === "answered" ? outcome.status : null;
  const code = outcome.kind === "answered" ? errorCodeOf(outcome.status) : outcome.code;
  const requestedMs = requestedDelayMs(outcome);
  const isGone = code === "GONE";
  const isPostponed = requestedMs !== null && taken.postponed < maxPostponements;
  const delay = deliveryRetryDelaysMs[taken.tries - taken.postponed];
  const scheduledMs =
    delay === undefined ? null : Math.max(Math.round(delay * (1 + jitterShare * (2 * random() - 1))), requestedMs ?? 0);
  const hasFailedLong = (taken.failingForMs ?? 0) >= webhookPauseAfterFailingMs;
  return {
    kind: "failed",
    status,
    code,
    found: outcome.kind === "answered" ? code : outcome.found,
    durationMs,
    nextInMs: isGone ? null : isPostponed ? requestedMs : scheduledMs,
    isPostponed,
    backoffMs:
      requestedMs ??
      Math.max(Math.min(firstBackoffMs * 2 ** Math.min(taken.failuresInARow, 20), maxBackoffMs), durationMs),
    pause: isGone ? "GONE" : hasFailedLong ? "FAILING" : null,
  };
}

function requestedDelayMs(outcome: DeliveryAttemptOutcome): number | null {
  if (outcome.kind !== "answered" || outcome.retryAfterMs === null) return null;
  if (outcome.status !== 429 && outcome.status !== 503) return null;
  return Math.min(Math.max(outcome.retryAfterMs, minRetryAfterMs), maxWebhookRetryAfterMs);
}

function errorCodeOf(status: number): DeliveryFailureCode {
  if (status === 410) return "GONE";
  return status >= 300 && status < 400 ? "REDIRECTED" : "BAD_STATUS";
}
