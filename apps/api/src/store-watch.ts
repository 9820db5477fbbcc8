import type { StoreIdentity } from "@reports/core/base";

/** Checks the file store repeatedly, for metrics, readiness and the log. The identity remembers and logs the results. */
export function createStoreWatch(identity: Pick<StoreIdentity, "assert">, everyMs: number) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    await identity.assert({ signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => void look(), everyMs).unref();
  }

  return {
    /** Resolves after the first check, even if it fails. */
    start: look,
    stop(): void {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}
