import type { CallOptions, RecordGateway, Retry } from "@reports/client";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { toCallFailure, type CallFailure } from "./call-failure.ts";
import { hasSessionExpired, session } from "./session.ts";

/** The result of a query. While the query runs again, and after a failure, `value` keeps the previous value. */
export interface QueryResult<Value> {
  readonly value: Value | null;
  readonly failure: CallFailure | null;
  readonly retry: Retry | null;
  readonly reload: () => void;
}

/** Reads a value when `key` changes, and then every `pollMs` milliseconds while the tab is visible (null: never). Requests do not overlap. */
export function useQuery<Value>(
  key: string,
  read: (gateway: RecordGateway, options: CallOptions) => Promise<Value>,
  pollMs: (value: Value | null) => number | null = () => null,
): QueryResult<Value> {
  const [{ readKey, ...state }, setState] = useState<QueryState<Value>>({ readKey: key, ...nothingRead });
  const [count, setCount] = useState(0);
  const gateway = session.value?.gateway;
  const expired = hasSessionExpired.value;
  const latest = useRef({ read, pollMs });
  latest.current = { read, pollMs };

  useEffect(() => {
    if (gateway === undefined || expired) return undefined;
    const controller = new AbortController();
    void follow(gateway, controller.signal);
    return () => controller.abort(new DOMException("Not wanted any more.", "AbortError"));

    function update(change: Partial<QueryState<Value>>): void {
      setState((before) => ({
        ...(before.readKey === key ? before : nothingRead),
        readKey: key,
        retry: null,
        ...change,
      }));
    }

    async function follow(from: RecordGateway, signal: AbortSignal): Promise<void> {
      let known: Value | null = null;
      for (;;) {
        try {
          known = await latest.current.read(from, { signal, onRetry: (retry) => update({ retry }) });
          if (signal.aborted) return;
          update({ value: known, failure: null });
        } catch (error) {
          if (signal.aborted) return;
          update({ failure: toCallFailure(error) });
        }
        const pauseMs = latest.current.pollMs(known);
        if (pauseMs === null || !(await waitUntilVisible(pauseMs, signal))) return;
      }
    }
  }, [key, gateway, expired, count]);

  const reload = useCallback(() => setCount((before) => before + 1), []);
  // After the key has changed, the result is empty until the value of the new key is read.
  return { ...(readKey === key ? state : nothingRead), reload };
}

interface QueryState<Value> extends Omit<QueryResult<Value>, "reload"> {
  readonly readKey: string;
}

const nothingRead = { value: null, failure: null, retry: null } as const;

/** Waits for `pauseMs`, and then until the tab is visible. Resolves with false if the signal aborts meanwhile. */
export async function waitUntilVisible(pauseMs: number, signal: AbortSignal): Promise<boolean> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
  while (document.hidden && !signal.aborted) {
    await new Promise<void>((resolve) => {
      document.addEventListener("visibilitychange", () => resolve(), { once: true });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
  return !signal.aborted;
}
