import type { ReportStart, StartedReport, StartOptions as ClientStartOptions } from "@reports/client";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { toSafeText } from "../output/to-safe-text.ts";
import { watchRetries } from "../output/watch-retries.ts";
import { quoteShellWord } from "../output/shell-word.ts";

/** How long to wait, after Ctrl-C, for the response to a start. Only that response contains the report's ID. */
const graceMs = 2000;

export interface StartRequestOptions {
  readonly idempotencyKey: string;
  readonly timedOut: AbortSignal;
}

export async function startReport(
  context: CommandContext,
  input: ReportStart,
  options: StartRequestOptions,
): Promise<StartedReport> {
  const list = `${context.name} list --mine`;
  const report = await startWithIdempotencyKey(context, options, { what: "report", list }, async (how) =>
    context.gateway().reports.start(input, how),
  );
  const { id, reportType, format } = report;
  context.output.say(`Report ${toSafeText(id)}: ${toSafeText(reportType)} as ${toSafeText(format)}.`);
  return report;
}

/**
 * Starts a report or rendition, and waits while a limit refuses the start. If the wait ends and the outcome is unknown, prints the command `list`, which shows
 * whether the start succeeded.
 */
export async function startWithIdempotencyKey<Started>(
  { interrupted, giveUp, output }: CommandContext,
  { idempotencyKey, timedOut }: StartRequestOptions,
  { what, list }: { readonly what: "report" | "file"; readonly list: string },
  start: (how: ClientStartOptions) => Promise<Started>,
): Promise<Started> {
  const abandoned = new AbortController();
  const waiting = watchRetries(output.say);
  const abandonSoon = (): void => {
    if (waiting.isRefused()) return abandoned.abort(interrupted.reason);
    output.say(`The ${what} is being started: waiting for its id. Press Ctrl-C again to stop immediately.`);
    setTimeout(() => abandoned.abort(interrupted.reason), graceMs).unref();
  };
  interrupted.addEventListener("abort", abandonSoon, { once: true });
  try {
    const signal = AbortSignal.any([abandoned.signal, giveUp, timedOut]);
    return await start({ idempotencyKey, signal, onRetry: waiting.onRetry });
  } catch (error) {
    if (!abandoned.signal.aborted && !timedOut.aborted) throw error;
    if (waiting.isRefused()) output.say(`The ${what} was not started.`);
    else {
      output.say(`It is not known whether the ${what} was started. See:\n  ${list}`);
      output.say(
        `The same command with this flag gives that ${what}, or starts it:\n  --idempotency-key ${quoteShellWord(idempotencyKey)}`,
      );
    }
    if (abandoned.signal.aborted) throw interrupted.reason;
    const code = waiting.isRefused() ? "refused" : "unavailable";
    throw new CommandError(code, `Timed out before the ${what} was started.`);
  } finally {
    interrupted.removeEventListener("abort", abandonSoon);
  }
}
