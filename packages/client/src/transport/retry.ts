import { GatewayError } from "../errors.ts";
import type { Pacing } from "./pacing.ts";

/** How often a request is sent again before its failure counts. */
const maxRetries = 8;
/** Before the first retry, and before any, at most: half a minute together on average, in which a gateway that died is back. */
const firstDelayMs = 500;
const maxDelayMs = 20_000;
/** Who is told to come back later than this is told so instead of waiting. */
const maxRetryAfterSeconds = 120;

/** What is not to be tried again. A token that cannot be had is not asked for anew by each try of the request that needs it. */
const notRetryable = new WeakSet<Error>();

/** Tries until it succeeds, as long as `backOff` allows; once only what may not be tried again. */
export async function retrying<T>(
  pacing: Pacing,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
  isRepeatable = true,
): Promise<T> {
  for (let failures = isRepeatable ? 1 : maxRetries + 1; ; failures++) {
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
  if (!(error instanceof GatewayError)) throw error;
  const { status, code, retryAfterSeconds } = error;
  const afterSeconds = retryAfterSeconds ?? 0;
  const isTransient = code === "unreachable" || [429, 502, 503, 504].includes(status);
  if (!isTransient || afterSeconds > maxRetryAfterSeconds || failures > maxRetries || notRetryable.has(error)) {
    notRetryable.add(error);
    throw error;
  }
  const jitterMs = pacing.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
  await pacing.pause(afterSeconds * 1000 + jitterMs, signal);
}
