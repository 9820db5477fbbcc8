import type { Logger } from "@reports/runtime";

/** How a round ended that was this worker's. */
export type RoundEnd = "succeeded" | "failed";

/** Work that is done again and again. */
export interface PeriodicWorkOptions {
  readonly name: string;
  readonly everyMs: number;
  /** The pause is up to this much shorter or longer, so that workers do not act in step. */
  readonly jitterMs: number;
  /**
   * One round. The signal aborts when the worker stops. What it throws is logged, and the next round comes all the same. A round that resolves
   * with false was not this worker's, and says nothing of whether the work can be done.
   */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly logger: Logger;
  readonly onRound?: (end: RoundEnd) => void;
}

/** A timer with an orderly end. */
export interface PeriodicWork {
  start(): void;
  /** Resolves when no round runs any more. */
  stop(): Promise<void>;
}

/** Makes a timer whose pauses begin when a round ends, so that rounds never overlap. */
export function createPeriodicWork(options: PeriodicWorkOptions): PeriodicWork {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const schedule = (): void => {
    if (stopping.signal.aborted) return;
    const pauseMs = options.everyMs + options.jitterMs * (2 * Math.random() - 1);
    timer = setTimeout(() => {
      round = run().finally(schedule);
    }, pauseMs);
  };
  const run = async (): Promise<void> => {
    try {
      if ((await options.work(stopping.signal)) !== false) options.onRound?.("succeeded");
    } catch (error) {
      if (stopping.signal.aborted) return;
      options.onRound?.("failed");
      options.logger.error("periodic work failed, retrying", { work: options.name, error });
    }
  };
  return {
    start: schedule,
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await round;
    },
  };
}
