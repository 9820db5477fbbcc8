import { isTerminal, waitForReport, type Report, type ReportWatch, type ReportWatches } from "@reports/core/report";
import { RateLimitedError } from "@reports/core/caller";
import type { ApiClocks } from "../clocks.ts";
import type { EndpointInput } from "../endpoint/endpoint.ts";
import { watchCaller } from "../endpoint/watch-caller.ts";
import { parseWaitPreference } from "./wait-preference.ts";

/** What waiting needs. */
export interface WaitDeps {
  readonly watches: ReportWatches;
  readonly clocks: Pick<ApiClocks, "waitReviewMs">;
}

/** A report after a wait, and the header that says how long the caller was ready to wait. */
interface Waited {
  readonly report: Report;
  readonly headers: Readonly<Record<string, string>>;
}

/** The response header that says that `Prefer: wait` was heeded. */
export const preferenceApplied = { "Preference-Applied": "wait=N, when Prefer asked for it and it was applied." };

/**
 * Waits for news of a report where `Prefer: wait` asks for that, and gives the report as it is then; null where it is not to be waited:
 * nobody asked, the request is a HEAD, or too many wait already, because a preference is never an error (RFC 7240). A wait holds no
 * connection of a pool. It ends with the caller; the report goes on. Rejects as waitForReport does. Whether the caller may know of the report has
 * been checked: that hangs on what of a report never changes, and on authorities, which are judged again. An additional format is waited for by its
 * own ID, with that of its report.
 */
export async function waitIfAsked(
  deps: WaitDeps,
  input: EndpointInput<unknown>,
  reportId: string,
  isNews: (report: Report) => boolean = ({ status }) => isTerminal(status),
  ofReport?: string,
): Promise<Waited | null> {
  // Of HEAD as well, whose headers are those of GET.
  const asked = parseWaitPreference(input.header("prefer"));
  const seconds = input.method === "HEAD" ? null : asked;
  const watch = seconds === null ? null : openIfAllowed(deps, [reportId, input.principal.id, ofReport]);
  if (watch === null) return null;
  using opened = watch;
  // A timer of our own, which goes with the wait: AbortSignal.timeout would stay until its time.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), (seconds ?? 0) * 1000);
  try {
    using caller = watchCaller(input, deps.clocks.waitReviewMs);
    const signal = AbortSignal.any([input.signal, over.signal, caller.refused]);
    const report = await waitForReport(opened, isNews, signal);
    // A caller that was disabled in the meantime, or whose token has expired, learns nothing that has happened since.
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
