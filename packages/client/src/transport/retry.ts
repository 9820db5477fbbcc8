import type { CallOptions } from "../call-options.ts";
import { GatewayError } from "../errors.ts";
import type { ClientTiming } from "./client-timing.ts";

const maxRetries = 8;
/** Upper bounds of the random delay: before the first retry, and before any retry. All retries together wait about 36 s on average. */
const firstDelayMs = 500;
const maxDelayMs = 20_000;
/** A request fails immediately if `Retry-After` is longer than this. */
const maxRetryAfterSeconds = 120;

/** Errors that are not retried again. If a token request has failed, the request that needs the token is not retried either. */
const finalErrors = new WeakSet<Error>();

/** Repeats `attempt` after failures until `waitForRetryOrThrow` throws. With `isRepeatable: false`, runs it only once. */
export async function runWithRetries<T>(
  pacing: ClientTiming,
  options: CallOptions,
  attempt: () => Promise<T>,
  isRepeatable = true,
): Promise<T> {
  for (let failures = isRepeatable ? 1 : maxRetries + 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      await waitForRetryOrThrow(pacing, options, failures, error);
    }
  }
}

/**
 * Reports the retry and waits for it. Throws the error after eight retries, or if `Retry-After` is above two minutes. Also throws if the error is
 * neither a network error nor a 429, 502, 503 or 504.
 */
export async function waitForRetryOrThrow(
  pacing: ClientTiming,
  { signal, onRetry }: CallOptions,
  failures: number,
  error: unknown,
): Promise<void> {
  signal?.throwIfAborted();
  if (!(error instanceof GatewayError)) throw error;
  const { status, code, retryAfterSeconds } = error;
  const afterSeconds = retryAfterSeconds ?? 0;
  const isTransient = code === "unreachable" || [429, 502, 503, 504].includes(status);
  if (!isTransient || afterSeconds > maxRetryAfterSeconds || failures > maxRetries || finalErrors.has(error)) {
    finalErrors.add(error);
    throw error;
  }
  const jitterMs = pacing.random() * Math.min(maxDelayMs, firstDelayMs * 2 ** (failures - 1));
  const pauseMs = afterSeconds * 1000 + jitterMs;
  onRetry?.({ reason: error, at: new Date(pacing.now() + pauseMs), number: failures });
  await pacing.pause(pauseMs, signal);
}
