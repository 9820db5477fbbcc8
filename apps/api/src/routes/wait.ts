import { findReport, RateLimitedError, waitForReport } from "@reports/core";
import type { Report, ReportStore, ReportWatch, ReportWatches, WantedReport } from "@reports/core";
import type { EndpointInput } from "../endpoint/endpoint.ts";
import { watchCaller } from "../endpoint/watch-caller.ts";
import { parseWaitPreference } from "./wait-preference.ts";

/** How often those who wait are judged again. */
const reviewEveryMs = 10_000;

/** What waiting needs. */
export interface WaitDeps {
  readonly reports: Pick<ReportStore, "find">;
  readonly watches: ReportWatches;
}

/**
 * Reads a report, as soon as there is news where `Prefer: wait` asks for that. The headers say whether it was heeded: while too many
 * wait it is not, because a preference is never an error. docs/contract.md §4.4, RFC 7240.
 */
export async function readOrWait(
  deps: WaitDeps,
  input: EndpointInput<unknown>,
  wanted: WantedReport,
  isNews: (report: Report) => boolean,
): Promise<{ readonly report: Report; readonly headers: Readonly<Record<string, string>> }> {
  const seconds = parseWaitPreference(input.header("prefer"));
  const watch = seconds === null ? null : openIfAllowed(deps, wanted.id, input.principal.id);
  if (watch === null) return { report: await findReport(deps, wanted), headers: {} };
  using opened = watch;
  // A timer of our own, which goes with the wait: AbortSignal.timeout would stay until its time.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), (seconds ?? 0) * 1000);
  try {
    using caller = watchCaller(input, reviewEveryMs);
    const signal = AbortSignal.any([input.signal, over.signal, caller.refused]);
    const report = await waitForReport(opened, wanted, isNews, signal);
    // Who was disabled meanwhile, or whose token has expired, is told nothing that has happened since.
    if (!input.signal.aborted) await input.confirmCaller();
    return { report, headers: { "Preference-Applied": `wait=${seconds}` } };
  } finally {
    clearTimeout(timer);
  }
}

function openIfAllowed({ watches }: WaitDeps, reportId: string, principalId: string): ReportWatch | null {
  try {
    return watches.open(reportId, principalId);
  } catch (error) {
    if (error instanceof RateLimitedError) return null;
    throw error;
  }
}
