import { StoreMismatchError, type StoreIdentity } from "@reports/core/base";

type Work = (signal: AbortSignal) => Promise<boolean>;

/**
 * Skips a round while this worker sees a store with another ID. Files that are missing there are not lost, and its files are not ours.
 * Logs and metrics report that elsewhere. A store that does not answer is an error.
 */
export function skipInWrongStore(identity: Pick<StoreIdentity, "assert">, work: Work): Work {
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
