import { isTerminal, waitForReport, type Report, type ReportWatch, type ReportWatches } from "@reports/core/report";
import { RateLimitedError } from "@reports/core/caller";
import type { ApiClocks } from "../clocks.ts";
import type { EndpointInput } from "../endpoint/endpoint.ts";
import { watchCaller } from "../endpoint/watch-caller.ts";
import { parseWaitPreference } from "./wait-preference.ts";

export interface WaitDeps {
  readonly watches: ReportWatches;
  readonly clocks: Pick<ApiClocks, "waitReviewMs">;
}

interface Waited {
  readonly report: Report;
  readonly headers: Readonly<Record<string, string>>;
}

export const preferenceApplied = { "Preference-Applied": "wait=N, when Prefer asked for it and it was applied." };

/**
 * Waits for news of a report if `Prefer: wait` asks for it, and returns the report; null without a wait: not requested, a HEAD, or too many waits,
 * because a preference is never an error (RFC 7240). A wait holds no pool connection and ends with the caller. Rejects as waitForReport does. The
 * caller's right to see the report has been checked: it depends on constant fields and on authorities, which are checked again. An additional
 * format is awaited by its own ID, with its report's.
 */
export async function waitIfAsked(
  deps: WaitDeps,
  input: EndpointInput<unknown>,
  reportId: string,
  isNews: (report: Report) => boolean = ({ status }) => isTerminal(status),
  ofReport?: string,
): Promise<Waited | null> {
  // For HEAD as well, whose headers are GET's.
  const asked = parseWaitPreference(input.header("prefer"));
  const seconds = input.method === "HEAD" ? null : asked;
  const watch = seconds === null ? null : openIfAllowed(deps, [reportId, input.principal.id, ofReport]);
  if (watch === null) return null;
  using opened = watch;
  // A cancellable timer: AbortSignal.timeout would stay until its time.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), (seconds ?? 0) * 1000);
  try {
    using caller = watchCaller(input, deps.clocks.waitReviewMs);
    const signal = AbortSignal.any([input.signal, over.signal, caller.refused]);
    const report = await waitForReport(opened, isNews, signal);
    // A caller whose account or token has become invalid learns nothing new.
    if (!input.signal.aborted) await input.confirmCaller();
    return { report, headers: { "Preference-Applied": `wait=${seconds}` } };
  } finally {
    clearTimeout(timer);
  }
}

function openIfAllowed(
  { watches }: Pick<WaitDeps, "watches">,
  watched: Parameters<ReportWatches["open"]>,
): ReportWatch | null {
  try {
    return watches.open(...watched);
  } catch (error) {
    if (error instanceof RateLimitedError) return null;
    throw error;
  }
}
