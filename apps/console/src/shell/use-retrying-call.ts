import type { CallOptions, Retry } from "@reports/client";
import { useEffect, useRef, useState } from "preact/hooks";

export interface RetryingCall {
  readonly retry: Retry | null;
  run<T>(call: (options: CallOptions) => Promise<T>): Promise<T>;
  cancel(): void;
}

export function useRetryingCall(): RetryingCall {
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
