import { createConcurrencyLimiter, type ConcurrencyLimits, type ConcurrencyLimiter } from "./concurrency-limiter.ts";

/** Limits concurrent downloads. Each download holds a stream of the file store and a connection until its reader has finished. */
export function createDownloadLimiter(limits: ConcurrencyLimits): ConcurrencyLimiter {
  return createConcurrencyLimiter(limits, {
    code: "too-many-downloads",
    quota: "downloads",
    counted: "concurrent downloads",
    advice: "retry when one has ended",
    retryAfterSeconds: 2,
  });
}
