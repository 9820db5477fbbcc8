import type { Retry } from "@reports/client";
import { toSafeText } from "./to-safe-text.ts";

export interface RetryWatch {
  readonly onRetry: (retry: Retry) => void;
  /** Reports whether certainly nothing was started: a limit has refused every attempt, and the client has not sent the next one. */
  isRefused(): boolean;
}

export function watchRetries(say: (line: string) => void, now: () => number = Date.now): RetryWatch {
  let refusedUntil = 0;
  let isOutcomeKnown = true;
  return {
    onRetry({ reason, at }) {
      // `watchFailures` prints outages. After an outage, the service may have started the report although no response arrived.
      if (reason.status !== 429) isOutcomeKnown = false;
      else say(describeRefusal(reason.detail, at.getTime() - now()));
      refusedUntil = at.getTime();
    },
    isRefused: () => isOutcomeKnown && now() < refusedUntil,
  };
}

/** Returns one line: `Limit of 20 report starts per minute reached. Starting in 35 s; press Ctrl-C to stop.` */
function describeRefusal(detail: string, waitMs: number): string {
  const limit = toSafeText(detail).replace(/; retry in [\d,]+ s\.$/, ".");
  return `${limit} Starting in ${Math.max(1, Math.ceil(waitMs / 1000))} s; press Ctrl-C to stop.`;
}
