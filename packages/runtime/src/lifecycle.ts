import { constants } from "node:os";
import { withDeadline } from "./deadline.ts";
import type { Logger } from "./log/logger.ts";
import { StartupError } from "./startup-error.ts";

/** A part of the process that is started and stopped in order. `stop` must also work after a `start` that failed or was cut short. */
export interface LifecycleStep {
  readonly name: string;
  /** The signal aborts when the process is told to stop while it is still starting. */
  readonly start?: (signal: AbortSignal) => Promise<unknown> | void;
  /** The signal aborts when the step's time is over; the next step is stopped then, whether this one has ended or not. */
  readonly stop?: (signal: AbortSignal) => Promise<unknown> | void;
  /** Time for this step's stop; the lifecycle's `stepTimeoutMs` unless said. The overall grace bounds it too. */
  readonly stopTimeoutMs?: number;
}

/** Times of a lifecycle, and its log. */
export interface LifecycleOptions {
  readonly logger: Logger;
  /** Of one step's stop. Default 10,000. */
  readonly stepTimeoutMs?: number;
  /** Of all stops together. Default 30,000. Steps whose turn comes after it get half a second each. */
  readonly graceMs?: number;
}

/** Ordered start and stop of a process. */
export interface Lifecycle {
  /** Steps start in the order of their registration and stop in the reverse. Only before `run`. */
  add(step: LifecycleStep): void;
  /**
   * Starts every step, with the process's signals under control: SIGTERM and SIGINT stop in order and exit 0.
   * Meanwhile a further SIGTERM changes nothing (who wants to end it sooner sends SIGKILL), a SIGINT, as of a person's Ctrl-C, exits
   * at once with 130. An unhandled rejection or exception is logged and exits 1.
   * When a step fails, what had started is stopped and the process exits non-zero.
   */
  run(): Promise<void>;
  /** Stops in order and exits; for a part that ended unasked, with an error and exit code 1. Later calls wait for the first. */
  shutDown(reason: string, error?: unknown): Promise<void>;
  /** Aborts when the shutdown begins. */
  readonly signal: AbortSignal;
}

const lastMomentMs = 500;

/** Makes the process's lifecycle; nothing happens before `run`. */
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
      const remainingMs = Math.max(deadline - performance.now(), lastMomentMs);
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
      // The step that is being started sees its signal abort; it may be stopped only once it has settled.
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
      // Registered before it has started, so that a start that failed half-way is cleaned up as well.
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
      // Supervisors repeat themselves; the stop is bounded by its grace, and whoever cannot wait for that has SIGKILL.
      logger.info("stop signal repeated, still stopping", { signal: name });
      return;
    }
    logger.warn("interrupted while stopping, exiting at once", { signal: name });
    process.exit(128 + constants.signals.SIGINT);
  };
  const onBug = (error: unknown): void => {
    logger.fatal("unhandled error, exiting at once", { error });
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
      process.on("uncaughtException", onBug);
      process.on("unhandledRejection", onBug);
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
