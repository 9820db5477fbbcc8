import { GatewayError } from "../errors.ts";
import type { Pacing } from "./pacing.ts";

/** How often a request is sent again before its failure counts. */
const maxRetries = 8;
/** Before the first retry, and before any, at most: half a minute together on average, in which a gateway that died is back. */
const firstMs = 500;
const mostMs = 20_000;
/** Who is told to come back later than this is told so instead of waiting. */
const longestRetryAfterSeconds = 120;

/** What was tried to the end. A token that cannot be had is not asked for anew by each try of the request that needs it. */
const givenUp = new WeakSet<Error>();

/** Tries until it succeeds, as long as `backOff` allows. */
export async function retrying<T>(
  pacing: Pacing,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      await backOff(pacing, signal, failures, error);
    }
  }
}

/**
 * Waits before the next try after so many failures in a row, with full jitter behind Retry-After. Throws the error where trying again
 * does not help: after eight retries, and for anything but network errors, 429, 502, 503 and 504.
 */
export async function backOff(
  pacing: Pacing,
  signal: AbortSignal | undefined,
  failures: number,
  error: unknown,
): Promise<void> {
  signal?.throwIfAborted();
  if (!isTransient(error) || givenUp.has(error)) throw error;
  if (failures > maxRetries) {
    givenUp.add(error);
    throw error;
  }
  const jitterMs = pacing.random() * Math.min(mostMs, firstMs * 2 ** (failures - 1));
  await pacing.pause((error.retryAfterSeconds ?? 0) * 1000 + jitterMs, signal);
}

function isTransient(error: unknown): error is GatewayError {
  if (!(error instanceof GatewayError) || (error.retryAfterSeconds ?? 0) > longestRetryAfterSeconds) return false;
  return error.code === "unreachable" || error.status === 429 || (error.status >= 502 && error.status <= 504);
}
