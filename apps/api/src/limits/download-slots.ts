import { RateLimitedError } from "@reports/core/caller";
import { createSlots, type SlotLimits, type Slots } from "./slots.ts";

/** Concurrent downloads of one instance. 0 turns a limit off. */
export type DownloadLimits = SlotLimits;

/** Each download holds a stream of the store and a connection for as long as its reader needs. */
export type DownloadSlots = Slots;

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
