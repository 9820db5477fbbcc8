import { constants } from "node:os";

export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  /** 130 for Ctrl-C, as in shells. */
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super(`Interrupted by ${signal}.`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** npm forwards a terminal's Ctrl-C to a process that has got it already; a person's second one comes later. */
const echoMs = 500;

/** The first signal aborts with an InterruptedError; the second ends the process immediately. `clear` removes the progress bar. */
export function watchInterrupts(clear: () => void): AbortSignal {
  const controller = new AbortController();
  const isEchoed = process.env["npm_command"] !== undefined;
  let firstAt = 0;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      const error = new InterruptedError(name);
      if (!controller.signal.aborted) {
        firstAt = performance.now();
        controller.abort(error);
      } else if (!isEchoed || performance.now() - firstAt > echoMs) {
        clear();
        process.exit(error.exitCode);
      }
    });
  }
  return controller.signal;
}
