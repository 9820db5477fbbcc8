import type { ProgressEvent, Report, ReportEvent } from "@reports/client";
import { useEffect, useState } from "preact/hooks";
import { toCallFailure } from "../shell/call-failure.ts";
import { waitUntilVisible } from "../shell/use-query.ts";
import { hasSessionExpired, session } from "../shell/session.ts";

export interface ReportActivity {
  readonly events: readonly ReportEvent[];
  readonly progress: ProgressEvent | null;
}

const noActivity: ReportActivity = { events: [], progress: null };
const reconnectMs = 5_000;

/**
 * Follows the event stream of a report while the tab is visible. A hidden tab frees the connection, because over HTTP/1.1 a browser allows six per
 * origin.
 */
export function useReportActivity({ id }: Report, onTransition: () => void): ReportActivity {
  const [activity, setActivity] = useState(noActivity);
  const gateway = session.value?.gateway;
  const expired = hasSessionExpired.value;
  useEffect(() => {
    if (gateway === undefined || expired) return undefined;
    const controller = new AbortController();
    void follow(controller.signal);
    return () => controller.abort();

    async function follow(signal: AbortSignal): Promise<void> {
      for (let isOver = false; !isOver;) {
        const hidden = signalWhileVisible(signal);
        isOver = await readStream(hidden);
        if (!(await waitUntilVisible(hidden.aborted ? 0 : reconnectMs, signal))) return;
      }
    }

    /** Reads the event stream to its end. Resolves with true if the report has ended, and with false if the connection broke. */
    async function readStream(signal: AbortSignal): Promise<boolean> {
      let known = 0;
      try {
        for await (const one of gateway!.reports.events(id, { signal })) {
          if (one.kind === "progress") setActivity((before) => ({ ...before, progress: one.progress }));
          else {
            setActivity(({ events, progress }) => ({ events: addEvent(events, one.event), progress }));
            // The stream first repeats earlier events, which the record of this page already reflects. So only later events call `onTransition`.
            if (++known > 1 && Date.parse(one.event.at) > openedAt) onTransition();
          }
        }
        onTransition();
        return true;
      } catch (error) {
        if (!signal.aborted) toCallFailure(error);
        return false;
      }
    }
  }, [id, gateway, expired]);
  const [openedAt] = useState(Date.now() - 10_000);
  return activity;
}

function addEvent(events: readonly ReportEvent[], event: ReportEvent): readonly ReportEvent[] {
  return events.some(({ id }) => id === event.id) ? events : [...events, event];
}

function signalWhileVisible(other: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const abortIfHidden = (): void => {
    if (document.hidden) controller.abort();
  };
  document.addEventListener("visibilitychange", abortIfHidden, { signal: AbortSignal.any([other, controller.signal]) });
  return AbortSignal.any([other, controller.signal]);
}
