import type { CallOptions, Retry } from "@reports/client";
import { useEffect } from "preact/hooks";
import { RetryNotice } from "../parts/retry-notice.tsx";
import { toCallFailure } from "./call-failure.ts";
import { createObservableValue } from "./observable-value.ts";

interface Toast {
  readonly text: string;
  readonly isBad: boolean;
}

interface WaitingAction {
  readonly retry: Retry;
  readonly cancel: () => void;
}

const currentToast = createObservableValue<Toast | null>(null);
const waitingAction = createObservableValue<WaitingAction | null>(null);
const toastMs = 6_000;

export function showToast(text: string): void {
  currentToast.value = { text, isBad: false };
}

/** Runs an action and shows its error. Shows its retries, too, if the action passes the options to its call. Resolves with whether it succeeded. */
export async function runAction(act: (options: CallOptions) => Promise<void>): Promise<boolean> {
  const controller = new AbortController();
  const onRetry = (retry: Retry): void => {
    waitingAction.value = { retry, cancel: () => controller.abort() };
  };
  try {
    await act({ signal: controller.signal, onRetry });
    return true;
  } catch (error) {
    const failure = toCallFailure(error);
    if (failure !== null) currentToast.value = { text: failure.detail, isBad: true };
    return false;
  } finally {
    waitingAction.value = null;
  }
}

export function Toasts() {
  const current = currentToast.value;
  useEffect(() => {
    if (current === null || current.isBad) return undefined;
    const timer = setTimeout(() => (currentToast.value = null), toastMs);
    return () => clearTimeout(timer);
  }, [current]);
  const waiting = waitingAction.value;
  if (waiting !== null)
    return (
      <div class="toast">
        <RetryNotice retry={waiting.retry} doing="Trying again" onCancel={waiting.cancel} />
      </div>
    );
  return (
    <div aria-live="polite">
      {current !== null && (
        <div class={`toast ${current.isBad ? "bad" : ""}`}>
          <span>{current.text}</span>
          <button type="button" class="quiet" onClick={() => (currentToast.value = null)}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}
