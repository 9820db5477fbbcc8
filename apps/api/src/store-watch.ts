import type { StoreIdentity } from "@reports/core/base";

/** Checks the file store repeatedly, for metrics, readiness and the log. The identity remembers and logs the results. */
export function createStoreWatch(identity: Pick<StoreIdentity, "assert">, everyMs: number) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    await identity.assert({ signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => void check(), everyMs).unref();
  }

  return {
    /** Resolves after the first check, even if it fails. */
    start: check,
    stop(): void {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}
