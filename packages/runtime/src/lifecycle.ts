import { constants } from "node:os";
import { withDeadline } from "./deadline.ts";
import type { Logger } from "./log/logger.ts";
import { StartupError } from "./startup-error.ts";

/** A part that is started and stopped in order. `stop` must also work after a failed or interrupted `start`. */
export interface LifecycleStep {
  readonly name: string;
  /** The signal aborts if the process gets a stop signal meanwhile. */
  readonly start?: (signal: AbortSignal) => Promise<unknown> | void;
  /** The signal aborts at the end of the step's time; then the next step stops. */
  readonly stop?: (signal: AbortSignal) => Promise<unknown> | void;
  /** Time for this step's stop, within the overall grace. Default: the lifecycle's `stepTimeoutMs`. */
  readonly stopTimeoutMs?: number;
}

export interface LifecycleOptions {
  readonly logger: Logger;
  /** Per step's stop. Default 10,000. */
  readonly stepTimeoutMs?: number;
  /** For all stops together. Default 30,000. Later steps get half a second each. */
  readonly graceMs?: number;
}

export interface Lifecycle {
  /** Steps start in the order of registration and stop in reverse. Only before `run`. */
  add(step: LifecycleStep): void;
  /**
   * Starts every step. SIGTERM and SIGINT stop in order and exit 0. A further SIGTERM changes nothing (send SIGKILL), a further
   * SIGINT (Ctrl-C) exits immediately with 130. An unhandled rejection or exception is logged and exits 1. If a step fails, started
   * ones are stopped and the process exits non-zero.
   */
  run(): Promise<void>;
  /** Stops in order and exits; with an error, for a part that ended by itself, with code 1. Later calls wait for the first. */
  shutDown(reason: string, error?: unknown): Promise<void>;
  readonly signal: AbortSignal;
}

const minStopMs = 500;

/** Nothing happens before `run`. */
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
      // The starting step sees its signal abort, and may be stopped only once it has settled.
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
      // Registered before its start, so that a failed start is cleaned up too.
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
      // Supervisors repeat signals; the stop is bounded by its grace, and SIGKILL is there for anyone who cannot wait.
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
