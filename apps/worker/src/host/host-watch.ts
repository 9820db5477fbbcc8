import { readThrownMessage, HostFailureError, workerHostParts, type WorkerHostPart } from "@reports/core/base";
import type { HostState } from "@reports/core/report";
import { withDeadline, type HealthCheck, type Logger } from "@reports/runtime";
import type { WorkerTimings } from "../clocks.ts";
import { createPeriodicWork } from "../maintenance/periodic-work.ts";

export interface WatchedHostPart {
  readonly restsAfter: number;
  /** Tests the part by using it as an attempt would. Rejects if the part does not work. Called during a rest, and regularly if there is `glance`. */
  readonly prove: (signal: AbortSignal) => Promise<unknown>;
  /** Checks the part cheaply, before each claim and once per period. Rejects if the part is broken. */
  readonly glance?: (signal: AbortSignal) => Promise<unknown>;
}

export interface HostWatchOptions {
  readonly parts: Readonly<Record<WorkerHostPart, WatchedHostPart>>;
  readonly spoolBytes: () => number;
  readonly clocks: WorkerTimings["host"];
  readonly logger: Logger;
}

export interface HostWatch extends HostState {
  mayAcquire(): boolean;
  /**
   * Runs `work`. If it succeeds, records that `parts` of the worker's machine work. If it fails, records a failure of the part that `partOf`
   * returns; null means that no part failed.
   */
  run<Result>(
    parts: readonly WorkerHostPart[],
    work: () => Promise<Result>,
    partOf?: (error: unknown) => WorkerHostPart | null,
  ): Promise<Result>;
  checkOf(part: WorkerHostPart): HealthCheck;
  isResting(part: WorkerHostPart): boolean;
  /** Resolves after the first quick check of each part. The worker may take its first report only after that. */
  start(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** Deadline of a quick check. A disk that hangs ignores the abort signal of a check. */
const glanceTimeoutMs = 5_000;
const proveTimeoutMs = 60_000;

interface PartState {
  failures: number;
  rests: number;
  broken: Error | null;
  proveAt: number;
  isProving: boolean;
  /** Resolves when no check or test of this part is running. Never rejects. */
  probed: Promise<void>;
  /** A quick check of this part that was requested and has not begun; null if there is none. */
  nextGlance: Promise<void> | null;
}

/**
 * Watches the parts of the host. After `restsAfter` failures of a part in a row, the worker rests: it takes no reports, is not ready, and its
 * heartbeat lists no report types. It resumes when a test of the part succeeds. If attempts fail although tests succeed, the next rest is twice as
 * long.
 */
export function createHostWatch({ parts, spoolBytes, clocks, logger }: HostWatchOptions): HostWatch {
  const { everyMs, jitterMs, proveEveryMs, firstRestMs, longestRestMs } = clocks;
  const states = new Map<WorkerHostPart, PartState>(
    workerHostParts.map((part) => [
      part,
      {
        failures: 0,
        rests: 0,
        broken: null,
        proveAt: performance.now() + proveEveryMs,
        isProving: false,
        probed: Promise.resolve(),
        nextGlance: null,
      },
    ]),
  );
  const stateOf = (part: WorkerHostPart): PartState => states.get(part)!;
  const brokenParts = (): readonly WorkerHostPart[] => workerHostParts.filter((part) => stateOf(part).broken !== null);

  const rest = (part: WorkerHostPart, error: unknown): void => {
    const state = stateOf(part);
    const restMs = Math.min(firstRestMs * 2 ** state.rests, longestRestMs);
    state.proveAt = performance.now() + restMs;
    if (state.broken !== null) return;
    state.rests++;
    state.broken = error instanceof Error ? error : new Error(readThrownMessage(error));
    logger.error("this worker takes no reports until a part of its host works again", { part, restMs, error });
  };
  const noteFailure = (part: WorkerHostPart, error: unknown): void => {
    const state = stateOf(part);
    if (++state.failures >= parts[part].restsAfter) rest(part, error);
  };
  const noteSuccess = (part: WorkerHostPart): void => {
    Object.assign(stateOf(part), { failures: 0, rests: 0 });
  };

  /** Runs only one check of a part at a time, because each check of a hanging disk blocks a thread of Node's pool. */
  const probe = async (part: WorkerHostPart, work: WatchedHostPart["prove"], signal: AbortSignal): Promise<void> => {
    const state = stateOf(part);
    const running = state.probed.then(async () => {
      signal.throwIfAborted();
      await work(signal);
    });
    state.probed = running.catch(() => undefined);
    return running;
  };
  const beginGlance = async (part: WorkerHostPart, signal: AbortSignal): Promise<void> => {
    const work = parts[part].glance;
    const state = stateOf(part);
    // If a full test is running, no quick check begins. It would wait for the full test and exceed its own, shorter deadline.
    if (work === undefined || state.broken !== null || state.isProving) return;
    const begin: WatchedHostPart["prove"] = async (late) => {
      state.nextGlance = null;
      return work(late);
    };
    try {
      await withDeadline(async (late) => probe(part, begin, late), glanceTimeoutMs, `The check of ${part}`, signal);
    } catch (error) {
      if (!signal.aborted) rest(part, error);
    }
  };
  /** Checks a part. Calls share a check only until it begins, because a running check may miss what has broken since. */
  const glance = async (part: WorkerHostPart, signal: AbortSignal): Promise<void> => {
    const state = stateOf(part);
    const shared = (state.nextGlance ??= beginGlance(part, signal));
    await shared;
    if (state.nextGlance === shared) state.nextGlance = null;
  };
  const check = async (signal: AbortSignal): Promise<void> => {
    for (const part of workerHostParts) await glance(part, signal);
  };
  const prove = async (part: WorkerHostPart, signal: AbortSignal): Promise<void> => {
    const state = stateOf(part);
    // A part without a quick check is tested only while the worker rests because of it. At other times, attempts show whether the part works.
    if (state.broken === null && parts[part].glance === undefined) return;
    if (performance.now() < state.proveAt) return;
    state.isProving = true;
    try {
      const { prove: work } = parts[part];
      await withDeadline(async (late) => probe(part, work, late), proveTimeoutMs, `The proof of ${part}`, signal);
      state.proveAt = performance.now() + proveEveryMs;
      if (state.broken === null) return;
      Object.assign(state, { broken: null, failures: 0 });
      logger.info("this worker takes reports again", { part });
    } catch (error) {
      if (signal.aborted) return;
      if (state.broken === null) rest(part, error);
      else state.proveAt = performance.now() + firstRestMs;
    } finally {
      state.isProving = false;
    }
  };

  const watch = createPeriodicWork({
    name: "host",
    everyMs,
    jitterMs,
    logger,
    work: async (signal) => {
      // All parts are checked at the same time, so that a part that hangs does not delay the checks of the others.
      await Promise.all(
        workerHostParts.map(async (part) => glance(part, signal).then(async () => prove(part, signal))),
      );
    },
  });

  return {
    spoolBytes,
    mayAcquire: () => brokenParts().length === 0,
    isResting: (part) => stateOf(part).broken !== null,
    refusal() {
      const [part] = brokenParts();
      return part === undefined ? null : `A part of this worker's host is broken: ${part}.`;
    },
    check,
    async run(used, work, partOf = findFailedPart) {
      try {
        const result = await work();
        for (const part of used) noteSuccess(part);
        return result;
      } catch (error) {
        const part = partOf(error);
        if (part !== null) noteFailure(part, error);
        throw error;
      }
    },
    checkOf: (part) => async () => {
      const { broken } = stateOf(part);
      if (broken !== null) throw broken;
    },
    async start(signal) {
      await check(signal);
      watch.start();
    },
    stop: async () => watch.stop(),
  };
}

function findFailedPart(error: unknown): WorkerHostPart | null {
  return error instanceof HostFailureError ? error.part : null;
}
