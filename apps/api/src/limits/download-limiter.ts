import { RateLimitedError } from "@reports/core/caller";
import { createConcurrencyLimiter, type ConcurrencyLimits, type ConcurrencyLimiter } from "./concurrency-limiter.ts";

export type DownloadLimits = ConcurrencyLimits;

/** Limits concurrent downloads. Each download holds a stream of the file store and a connection until its reader has finished. */
export type DownloadLimiter = ConcurrencyLimiter;

export function createDownloadLimiter(limits: DownloadLimits): DownloadLimiter {
  return createConcurrencyLimiter(limits, (whose, limit) =>
    tooManyDownloadsError(whose === "total" ? "for all callers together" : "per caller", limit),
  );
}

function tooManyDownloadsError(whose: string, limit: number): RateLimitedError {
  return new RateLimitedError(
    "too-many-downloads",
    `Limit of ${limit} concurrent downloads ${whose} reached; retry when one has ended.`,
    {
      retryAfterSeconds: 2,
      quotas: [{ name: "downloads", limit, remaining: 0, windowSeconds: null, resetSeconds: null }],
    },
  );
}
