import { constants } from "node:os";
import { withDeadline } from "./deadline.ts";
import type { Logger } from "./log/logger.ts";
import { StartupError } from "./startup-error.ts";

/** A part of the process that the lifecycle starts and stops. `stop` must also work after a failed or interrupted `start`. */
export interface LifecycleStep {
  readonly name: string;
  readonly start?: (signal: AbortSignal) => Promise<unknown> | void;
  /** Stops the part. The signal aborts when the time limit of this stop is over. Then the next step is stopped. */
  readonly stop?: (signal: AbortSignal) => Promise<unknown> | void;
  /** Time limit of this step's stop in ms, within the `graceMs` of the lifecycle. Default: the `stepTimeoutMs` of the lifecycle. */
  readonly stopTimeoutMs?: number;
}

export interface LifecycleOptions {
  readonly logger: Logger;
  /** Time limit of the stop of one step. Default: 10,000 ms. */
  readonly stepTimeoutMs?: number;
  /** Time limit of all stops together. After it, each remaining step still gets 500 ms. Default: 30,000 ms. */
  readonly graceMs?: number;
}

export interface Lifecycle {
  /** Adds a step. Call it before `run`. Steps start in the order in which they were added and stop in reverse. */
  add(step: LifecycleStep): void;
  /**
   * Starts every step. On SIGTERM or SIGINT, stops all steps in reverse order and exits with 0, or with 1 if a step did not stop. A second
   * SIGTERM changes nothing. SIGINT (Ctrl-C) during the stop exits immediately with 130. An unhandled rejection or exception is logged and exits
   * with 1. If a start fails, stops the started steps and rejects.
   */
  run(): Promise<void>;
  /**
   * Stops all steps in reverse order and exits. The exit code is 1 with an `error` or if a step did not stop, and otherwise 0. Later calls wait
   * for the first one.
   */
  shutDown(reason: string, error?: unknown): Promise<void>;
  readonly signal: AbortSignal;
}

const minStopMs = 500;

export function createLifecycle({ logger, stepTimeoutMs = 10_000, graceMs = 30_000 }: LifecycleOptions): Lifecycle {
  const steps: LifecycleStep[] = [];
  const started: LifecycleStep[] = [];
  const stopping = new AbortController();
  let starting: Promise<void> = Promise.resolve();
  let shutdown: Promise<void> | null = null;

  const stopAll = async (): Promise<boolean> => {
    const deadline = performance.now() + graceMs;
    let clean = true;
    for (const step of started.toReversed()) {
      if (step.stop === undefined) continue;
      const remainingMs = Math.max(deadline - performance.now(), minStopMs);
      const timeoutMs = Math.min(step.stopTimeoutMs ?? stepTimeoutMs, remainingMs);
      try {
        await withDeadline(async (signal) => step.stop?.(signal), Math.round(timeoutMs), `Stopping "${step.name}"`);
        logger.debug("step stopped", { step: step.name });
      } catch (error) {
        clean = false;
        logger.error("step did not stop in order", { step: step.name, error });
      }
    }
    return clean;
  };

  const shutDown = async (reason: string, error?: unknown): Promise<void> => {
    shutdown ??= (async () => {
      if (error === undefined) logger.info("stopping", { reason });
      else logger.fatal("stopping because of an error", { reason, error });
      stopping.abort(new Error(`The process is stopping: ${reason}.`));
      // A step may be stopped only after its `start` has ended, so the stop waits for a running start.
      await withDeadline(async () => starting, graceMs, "The start").catch(() => undefined);
      const clean = await stopAll();
      logger.info("stopped", { reason, clean });
      process.exit(error === undefined && clean ? 0 : 1);
    })();
    return shutdown;
  };

  const startAll = async (): Promise<void> => {
    for (const step of steps) {
      stopping.signal.throwIfAborted();
      // The step is added to the list before its start, so that a step whose start fails is stopped too.
      started.push(step);
      await step.start?.(stopping.signal);
      logger.debug("step started", { step: step.name });
    }
  };

  const onSignal = (name: NodeJS.Signals): void => {
    if (shutdown === null) {
      void shutDown(name);
      return;
    }
    if (name === "SIGTERM") {
      // A second SIGTERM is only logged, because supervisors may repeat it. The stop has a time limit, and SIGKILL ends the process sooner.
      logger.info("stop signal repeated, still stopping", { signal: name });
      return;
    }
    logger.warn("interrupted while stopping, exiting immediately", { signal: name });
    process.exit(128 + constants.signals.SIGINT);
  };
  const onUnhandledError = (error: unknown): void => {
    logger.fatal("unhandled error, exiting immediately", { error });
    process.exit(1);
  };

  return {
    signal: stopping.signal,
    shutDown,
    add(step) {
      steps.push(step);
    },
    async run() {
      process.on("SIGTERM", onSignal);
      process.on("SIGINT", onSignal);
      process.on("uncaughtException", onUnhandledError);
      process.on("unhandledRejection", onUnhandledError);
      const outcome = startAll();
      starting = outcome.catch(() => undefined);
      try {
        await outcome;
      } catch (error) {
        if (shutdown !== null) return shutdown;
        logger.fatal("start failed", {
          step: started.at(-1)?.name,
          ...(error instanceof StartupError ? { reason: error.message } : { error }),
        });
        await stopAll();
        throw error;
      }
    },
  };
}
