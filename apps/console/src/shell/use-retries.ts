import type { CallOptions, Retry } from "@reports/client";
import { useEffect, useRef, useState } from "preact/hooks";

export interface Retries {
  /** The retry for which the current call waits, or null. */
  readonly retry: Retry | null;
  /** Runs a call and reports its retries. Leaving the component aborts the call. */
  run<T>(call: (options: CallOptions) => Promise<T>): Promise<T>;
  /** Aborts the current call, which rejects with an AbortError. */
  cancel(): void;
}

/** Returns the state of one call at a time, so that a page can show why the call waits. */
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
