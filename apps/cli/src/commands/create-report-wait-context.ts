import type { Report } from "@reports/client";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-code.ts";
import { describeError } from "../describe-error.ts";
import { describeEventCause } from "../output/describe-event-cause.ts";
import { toSafeText } from "../output/to-safe-text.ts";
import { quoteShellWord } from "../output/shell-word.ts";
import { readWaitCause } from "../past-events.ts";

export interface ReportWaitContext {
  readonly id: string;
  /** Aborts at Ctrl-C and after --timeout. */
  readonly signal: AbortSignal;
  /** Runs a wait or a download. After Ctrl-C, first cancels the report or prints how to continue. After an outage, prints how to continue. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createTimeoutSignal(timeout: number | undefined): AbortSignal {
  return timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout);
}

/**
 * Returns the signal and the error messages of a command that waits for a report. `resumeWords` are the arguments of the command that continues the
 * wait: `download ID`.
 */
export function createReportWaitContext(
  context: CommandContext,
  id: string,
  options: {
    readonly timedOut: AbortSignal;
    readonly cancelOnInterrupt?: boolean | undefined;
    readonly resumeWords: readonly string[];
    readonly what?: "report" | "file";
  },
): ReportWaitContext {
  const { interrupted, output } = context;
  const { timedOut, resumeWords, what = "report" } = options;
  const it = `${what} ${toSafeText(id)}`;
  const resume = `Continue with:\n  ${[context.name, ...resumeWords.map(quoteShellWord)].join(" ")}`;
  return {
    id,
    signal: AbortSignal.any([interrupted, timedOut]),
    async run(work) {
      try {
        return await work();
      } catch (error) {
        output.bar.clear();
        if (interrupted.aborted) {
          if (options.cancelOnInterrupt === true) await cancelReport(context, id);
          else output.say(`The ${it} is still running. ${resume}`);
          throw interrupted.reason;
        }
        if (timedOut.aborted) throw new CommandError("timedOut", `Timed out. The ${it} is still running. ${resume}`);
        const { exitCode } = describeError(error);
        // The command ends because of the service, not because of the report, which may still be running.
        if (exitCode === exitCodes.unavailable || exitCode === exitCodes.refused)
          output.say(`The ${it} may still be running. ${resume}`);
        throw error;
      }
    },
  };
}

export async function waitForReportEnd(context: CommandContext, { id, signal }: ReportWaitContext): Promise<Report> {
  const { reports } = context.gateway();
  const over = new AbortController();
  const causes = printWaitCauses(context, AbortSignal.any([signal, over.signal]));
  const onProgress = (report: Report): void => {
    showProgress(context, report);
    causes.check(report);
  };
  try {
    return await reports.wait(id, { signal, onProgress });
  } finally {
    over.abort();
    context.output.bar.clear();
  }
}

function printWaitCauses(context: CommandContext, signal: AbortSignal) {
  let printed: string | null = null;
  let checked = Promise.resolve();
  const check = async (report: Report): Promise<void> => {
    const cause = signal.aborted ? null : await readWaitCause(context.gateway().reports, report, signal);
    if (cause === null || cause === printed || signal.aborted) return;
    printed = cause;
    context.output.say(`The report waits, because ${describeEventCause(cause)}. It is retried for six hours.`);
    showProgress(context, report);
  };
  return { check: (report: Report) => void (checked = checked.then(async () => check(report))) };
}

export function showProgress({ output }: CommandContext, { progress }: Pick<Report, "progress">): void {
  const { phase, rowsDone, rowsTotal, percent } = progress;
  output.bar.update({ phase, unit: "rows", done: rowsDone, total: rowsTotal, percent });
}

async function cancelReport(context: CommandContext, id: string): Promise<void> {
  const { output } = context;
  output.say(`Cancelling the report ${toSafeText(id)}. Press Ctrl-C again to stop immediately.`);
  try {
    await context.gateway().reports.cancel(id);
    output.say("It is cancelled.");
  } catch {
    output.say(`It could not be cancelled, or had ended before. See:\n  ${context.name} status ${quoteShellWord(id)}`);
  }
}
