import type { QuotaState } from "../../caller/rate-limit.ts";

/** Counts unknown link tokens exactly over all instances. */
export interface LinkThrottle {
  /**
   * Counts one for this canonical address. Returns the quota if the limit was reached before: then even the failure is not revealed. Rejects
   * with StoreUnavailableError.
   */
  countFailure(address: string): Promise<QuotaState | null>;
}
