import type { Logger } from "@reports/runtime";

export type PeriodicRoundResult = "succeeded" | "failed";

export interface PeriodicWorkOptions {
  readonly name: string;
  readonly everyMs: number;
  /** Each pause is up to this much shorter or longer, so that several workers don't work at the same moments. */
  readonly jitterMs: number;
  /** Does one round. Returns false if another worker has the lease. If it rejects, the error is logged, and the next round follows. */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly logger: Logger;
  readonly onRound?: (end: PeriodicRoundResult) => void;
}

export interface PeriodicWork {
  start(): void;
  stop(): Promise<void>;
}

/** Creates work that repeats. Each pause begins when a round ends, so rounds of one worker never overlap. */
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
