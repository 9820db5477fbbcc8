import type { QuotaState } from "../../caller/rate-limit.ts";

/** Counts requests with unknown link tokens per address, exactly over all instances of the API. */
export interface LinkThrottle {
  /** Counts a failure. Returns the quota if it was reached before; the response then must not reveal that the token is unknown. Rejects with StoreUnavailableError. */
  countFailure(address: string): Promise<QuotaState | null>;
}
