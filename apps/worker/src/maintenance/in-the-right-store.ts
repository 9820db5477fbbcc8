import { StoreMismatchError, type StoreIdentity } from "@reports/core/base";

type Work = (signal: AbortSignal) => Promise<boolean>;

/**
 * Lets a round of work pass, as one that is not this worker's, while this worker sees another file store than the one that the records speak of: what is missing there is
 * not lost, and what lies there is not ours. The log and the metrics tell of that state elsewhere; a store that cannot be asked is an error.
 */
export function inTheRightStore(identity: Pick<StoreIdentity, "assert">, work: Work): Work {
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
