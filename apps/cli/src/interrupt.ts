import { constants } from "node:os";

export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  /** 128 plus the number of the signal, as in shells: 130 for Ctrl-C. */
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super(`Interrupted by ${signal}.`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** A process run by npm gets Ctrl-C twice, from the terminal and from npm. A second Ctrl-C of a person comes later than this. */
const npmEchoMs = 500;

/** The first interrupt aborts the returned signal with an InterruptedError, the second ends the process. `clear` removes the progress bar. */
export function createInterruptSignal(clear: () => void): AbortSignal {
  const controller = new AbortController();
  const isEchoed = process.env["npm_command"] !== undefined;
  let firstAt = 0;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      const error = new InterruptedError(name);
      if (!controller.signal.aborted) {
        firstAt = performance.now();
        controller.abort(error);
      } else if (!isEchoed || performance.now() - firstAt > npmEchoMs) {
        clear();
        process.exit(error.exitCode);
      }
    });
  }
  return controller.signal;
}
