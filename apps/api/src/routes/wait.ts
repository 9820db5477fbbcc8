import { isTerminal, waitForReport, type Report, type ReportWatch, type ReportWatches } from "@reports/core/report";
import { RateLimitedError } from "@reports/core/caller";
import type { ApiTimings } from "../clocks.ts";
import type { HandlerInput } from "../endpoint/endpoint.ts";
import { watchCallerCredentials } from "../endpoint/watch-caller-credentials.ts";
import { parseWaitPreference } from "./wait-preference.ts";

export interface WaitForReportDeps {
  readonly watches: ReportWatches;
  readonly clocks: Pick<ApiTimings, "waitReviewMs">;
}

interface WaitResult {
  readonly report: Report;
  readonly headers: Readonly<Record<string, string>>;
}

export const preferenceAppliedHeader = { "Preference-Applied": "wait=N, when Prefer asked for it and it was applied." };

/**
 * Waits until `isNews` accepts the report, or for the time of `Prefer: wait`, and returns the report. Returns null without a wait if the header
 * is missing, for HEAD, and at the limit of waits, because a preference is never an error (RFC 7240). A wait uses no database connection and ends
 * when the caller disconnects. The caller must already be allowed to see the report, because a wait checks only credentials and authorities again.
 * Rejects as waitForReport does.
 * @param ofReport ID of the report, if `reportId` is the ID of an additional format.
 */
export async function waitIfRequested(
  deps: WaitForReportDeps,
  input: HandlerInput<unknown>,
  reportId: string,
  isNews: (report: Report) => boolean = ({ status }) => isTerminal(status),
  ofReport?: string,
): Promise<WaitResult | null> {
  // Reading the header adds it to Vary. HEAD reads Prefer too, so that its Vary equals that of GET.
  const requestedSeconds = parseWaitPreference(input.header("prefer"));
  const seconds = input.method === "HEAD" ? null : requestedSeconds;
  const watch = seconds === null ? null : openIfAllowed(deps, [reportId, input.principal.id, ofReport]);
  if (watch === null) return null;
  using opened = watch;
  // The timer of this controller is cancelled after an early response. An AbortSignal.timeout would stay in memory until its time is over.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), (seconds ?? 0) * 1000);
  try {
    using caller = watchCallerCredentials(input, deps.clocks.waitReviewMs);
    const signal = AbortSignal.any([input.signal, deadline.signal, caller.refused]);
    const report = await waitForReport(opened, isNews, signal);
    // A caller whose account or token became invalid during the wait must not see the report.
    if (!input.signal.aborted) await input.confirmCaller();
    return { report, headers: { "Preference-Applied": `wait=${seconds}` } };
  } finally {
    clearTimeout(timer);
  }
}

function openIfAllowed(
  { watches }: Pick<WaitForReportDeps, "watches">,
  watched: Parameters<ReportWatches["open"]>,
): ReportWatch | null {
  try {
    return watches.open(...watched);
  } catch (error) {
    if (error instanceof RateLimitedError) return null;
    throw error;
  }
}
