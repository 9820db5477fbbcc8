import type { QuotaState } from "../../caller/rate-limit.ts";

/** Counts tokens of links that led nowhere, over all instances, exactly. */
export interface LinkThrottle {
  /**
   * Counts one of this address, in its canonical spelling. The quota, when the limit was reached before it: then even that it led nowhere stays
   * untold. Rejects with StoreUnavailableError.
   */
  countFailure(address: string): Promise<QuotaState | null>;
}
