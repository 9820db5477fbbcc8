import type { StoreIdentity } from "@reports/core/base";

/**
 * Looks at the file store again and again, so that metrics, readiness and the log tell of it without anybody asking for a file. What a
 * look finds, the identity remembers and logs.
 */
export function createStoreWatch(identity: Pick<StoreIdentity, "assert">, everyMs: number) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    await identity.assert({ signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => void look(), everyMs).unref();
  }

  return {
    /** Resolves after the first look, whatever it finds. */
    start: look,
    stop(): void {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}
