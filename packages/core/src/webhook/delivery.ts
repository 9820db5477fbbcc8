import type { Clock } from "../ports.ts";
import type { DeliveredEventType, DeliveryError, PauseCause, SealedSecret } from "./webhook.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** When a delivery is tried after the failure of the try before; the first is at once. docs/contract.md §9.4. */
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
/** The longest wait that a receiver may ask for by `Retry-After`. */
const maxRetryAfterMs = hour;
/** A webhook all of whose tries have failed for so long is paused. */
export const failingForMs = 5 * 24 * hour;
/** An endpoint that took longer to answer rests for as long as it took, whatever it answered: a slow one takes half of a place at most. */
const slowMs = second;
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
  readonly url: string;
  /** The current one first, then those before that still sign. */
  readonly secrets: readonly SealedSecret[];
  /** Whether the webhook's owner may still know of the event. */
  readonly isOwnerAllowed: boolean;
  /** Failed tries of the webhook in a row, of whatever delivery. */
  readonly failuresInARow: number;
  /** How long all tries of the webhook have failed; null where the last one succeeded. */
  readonly failingForMs: number | null;
  /** By which the webhook is held. */
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
      /** For how long nothing is sent to the endpoint; 0 where the next one may follow at once. */
      readonly restMs: number;
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
      /** For how long nothing is sent to the endpoint. */
      readonly restMs: number;
      readonly pause: PauseCause | null;
    };

/** Where deliveries wait for workers. All methods reject with StoreUnavailableError. */
export interface DeliveryQueue {
  /**
   * Takes one that is due, and holds its webhook for so long: of the owner whose last turn is longest ago the webhook that has waited longest.
   * `besides` are owners who are to wait. Null: nothing is due.
   */
  take(holdMs: number, besides: readonly string[]): Promise<TakenDelivery | null>;
  /**
   * Writes down what became of it and lets go of the webhook. What another worker has taken over since stays as that one leaves it, and where the
   * webhook leads elsewhere by now, a try that failed counts for nothing.
   */
  settle(taken: Pick<TakenDelivery, "id" | "webhookId" | "hold" | "url">, settlement: Settlement): Promise<void>;
}

/** Judges a try: what becomes of the delivery, and of the webhook. `random` gives a number from 0 to 1. */
export function judgeTry(
  taken: Pick<TakenDelivery, "tries" | "failuresInARow" | "failingForMs">,
  outcome: TryOutcome,
  durationMs: number,
  random: () => number,
): Settlement {
  const slowRestMs = durationMs < slowMs ? 0 : durationMs;
  if (outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300)
    return { kind: "delivered", status: outcome.status, durationMs, restMs: slowRestMs };
  const status = outcome.kind === "answered" ? outcome.status : null;
  const code = outcome.kind === "answered" ? codeOf(outcome.status) : outcome.code;
  const delay = retryDelaysMs[taken.tries];
  const asked = outcome.kind === "answered" && (status === 429 || status === 503) ? (outcome.retryAfterMs ?? 0) : 0;
  const askedMs = Math.min(asked, maxRetryAfterMs);
  const isGone = code === "GONE";
  const hasFailedLong = (taken.failingForMs ?? 0) >= failingForMs;
  return {
    kind: "failed",
    status,
    code,
    found: outcome.kind === "answered" ? code : outcome.found,
    durationMs,
    nextInMs:
      delay === undefined || isGone ? null : Math.max(Math.round(delay * (1 + jitter * (2 * random() - 1))), askedMs),
    restMs: Math.max(Math.min(firstRestMs * 2 ** Math.min(taken.failuresInARow, 20), maxRestMs), askedMs, slowRestMs),
    pause: isGone ? "GONE" : hasFailedLong ? "FAILING" : null,
  };
}

function codeOf(status: number): DeliveryError {
  if (status === 410) return "GONE";
  return status >= 300 && status < 400 ? "REDIRECTED" : "BAD_STATUS";
}
