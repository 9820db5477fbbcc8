import type { QuotaState } from "../../caller/rate-limit.ts";

/** Counts unknown link tokens exactly over all instances. */
export interface LinkThrottle {
  /** Returns the quota if it was reached before: then failures stay hidden. Rejects with StoreUnavailableError. */
  countFailure(address: string): Promise<QuotaState | null>;
}
