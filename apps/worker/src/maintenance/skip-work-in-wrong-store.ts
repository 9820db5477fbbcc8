import { StoreMismatchError, type StoreIdentity } from "@reports/core/base";

type RoundWork = (signal: AbortSignal) => Promise<boolean>;

/** Skips a round and returns false while the store belongs to another database. Rejects if the store does not respond. */
export function skipWorkInWrongStore(identity: Pick<StoreIdentity, "assert">, work: RoundWork): RoundWork {
  return async (signal) => {
    try {
      await identity.assert({ signal });
    } catch (error) {
      if (error instanceof StoreMismatchError) return false;
      throw error;
    }
    return work(signal);
  };
}
