import type { Retry } from "@reports/client";
import { useEffect, useState } from "preact/hooks";
import { useFocusFallback } from "./focus.ts";
import { formatRetryReason } from "./text.ts";

const tickMs = 500;

export function RetryNotice(props: { readonly retry: Retry; readonly doing: string; readonly onCancel?: () => void }) {
  const { retry, doing, onCancel } = props;
  const button = useFocusFallback();
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), tickMs);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((retry.at.getTime() - Date.now()) / 1000);
  return (
    <div class="notice warn retry">
      <p>
        {/* Screen readers announce the reason once, and not every second. */}
        <span role="alert">{formatRetryReason(retry.reason)}</span> {doing} {seconds > 0 ? `in ${seconds} s` : "now"}.
      </p>
      {onCancel !== undefined && (
        <button ref={button} type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </div>
  );
}
