import type { CallOptions, Retry } from "@reports/client";
import { useEffect, useRef, useState } from "preact/hooks";

export interface Retries {
  readonly retry: Retry | null;
  /** Runs a call and publishes its retries in `retry`. If the component is removed, the call is aborted. */
  run<T>(call: (options: CallOptions) => Promise<T>): Promise<T>;
  cancel(): void;
}

/** Returns the retry state of one call at a time, so that a page can show why the call waits. */
export function useRetries(): Retries {
  const [retry, setRetry] = useState<Retry | null>(null);
  const controller = useRef<AbortController | null>(null);
  const cancel = (): void => controller.current?.abort();
  useEffect(() => cancel, []);
  return {
    retry,
    cancel,
    async run(call) {
      controller.current = new AbortController();
      try {
        return await call({ signal: controller.current.signal, onRetry: setRetry });
      } finally {
        setRetry(null);
      }
    },
  };
}
