import type { QuotaState } from "../../caller/rate-limit.ts";

/** Counts requests with unknown link tokens per client address, exactly over all instances of the API. */
export interface DownloadLinkThrottle {
  /**
   * Counts a failure of the address. Returns the quota if it was already used up, else null. With a used-up quota, the response must not reveal that
   * the token is unknown. Rejects with StoreUnavailableError.
   */
  countFailure(address: string): Promise<QuotaState | null>;
}
