import type { StoreIdentity } from "@reports/core/base";

/** Checks every `everyMs` milliseconds whether the file store belongs to the database. `identity` logs the result and keeps it for metrics and readiness. */
export function createStoreIdMonitor(identity: Pick<StoreIdentity, "assert">, everyMs: number) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    await identity.assert({ signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => void check(), everyMs).unref();
  }

  return {
    /** Resolves after the first check, even a failed one, so that an unavailable store does not stop the start. */
    start: check,
    stop(): void {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}
