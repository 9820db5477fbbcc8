import type { ReportStart, StartedReport } from "@reports/client";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-code.ts";
import { safeText } from "../output/safe-text.ts";
import { shellWord } from "../output/shell-word.ts";

/** How long the answer to a start is waited for after Ctrl-C: with it the report is known by its id. */
const graceMs = 2000;

/** Starts a report and says so. A Ctrl-C meanwhile still waits for its id, but not for long. */
export async function startReport(
  context: CommandContext,
  input: ReportStart,
  options: { readonly idempotencyKey: string; readonly timedOut: AbortSignal },
): Promise<StartedReport> {
  const { interrupted, impatience, output, name } = context;
  const { idempotencyKey, timedOut } = options;
  const abandoned = new AbortController();
  const abandonSoon = (): void => {
    output.say("The report is being started: waiting for its id. Ctrl-C once more ends this at once.");
    setTimeout(() => abandoned.abort(interrupted.reason), graceMs).unref();
  };
  interrupted.addEventListener("abort", abandonSoon, { once: true });
  try {
    const signal = AbortSignal.any([abandoned.signal, impatience, timedOut]);
    const report = await context.gateway().reports.start(input, { idempotencyKey, signal });
    const { id, reportType, format } = report;
    output.say(`Report ${safeText(id)}: ${safeText(reportType)} as ${safeText(format)}.`);
    return report;
  } catch (error) {
    if (!abandoned.signal.aborted && !timedOut.aborted) throw error;
    output.say(
      `It is not known whether the report was started: ${name} list --mine. The same command with --idempotency-key ${shellWord(idempotencyKey)} gives that report, or starts it.`,
    );
    throw abandoned.signal.aborted
      ? interrupted.reason
      : new CommandError(exitCodes.away, "The time is over before the report was started.");
  } finally {
    interrupted.removeEventListener("abort", abandonSoon);
  }
}
