import { RateLimitedError } from "@reports/core/caller";
import { createSlots, type SlotLimits, type Slots } from "./slots.ts";

/** How many files may be on their way at once from one instance. 0 switches a limit off. */
export type DownloadLimits = SlotLimits;

/** The places of running downloads: each holds a stream of the store and a connection open for as long as its reader likes. */
export type DownloadSlots = Slots;

/** Makes the places, all of them free. */
export function createDownloadSlots(limits: DownloadLimits): DownloadSlots {
  return createSlots(limits, (whose, limit) =>
    tooMany(whose === "total" ? "for all callers together" : "per caller", limit),
  );
}

function tooMany(whose: string, limit: number): RateLimitedError {
  return new RateLimitedError(
    "too-many-downloads",
    `Limit of ${limit} concurrent downloads ${whose} reached; retry when one has ended.`,
    {
      retryAfterSeconds: 2,
      quotas: [{ name: "downloads", limit, remaining: 0, windowSeconds: null, resetSeconds: null }],
    },
  );
}
