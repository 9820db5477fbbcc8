import { createSemaphore, StoreUnavailableError, unlessAborted, withinTime } from "@reports/core/base";

export interface ReadOptions<Result> {
  readonly signal?: AbortSignal | undefined;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  /** Receives a result after its caller stopped, such as a file that was opened too late. */
  readonly discard?: (late: Result) => unknown;
}

/**
 * The calls of one file system. Each may hold a thread of Node's pool as long as the file system hangs, and passwords, host names and other
 * files need that pool too, so a store gets only some threads. While all of them hang, further calls immediately reject with
 * StoreUnavailableError, as does a read of a path whose earlier read hangs.
 */
export interface FileCalls {
  /** A call without changes. Its caller waits for a slot and the call until the deadline or the signal; the thread is not recovered. */
  read<Result>(path: string, call: () => Promise<Result>, options?: ReadOptions<Result>): Promise<Result>;
  /** A call with changes, whose caller awaits the result. The signal only ends the wait for a slot. */
  mutate<Result>(call: () => Promise<Result>, options?: { readonly signal?: AbortSignal | undefined }): Promise<Result>;
  /** Closes what is unused once the call in it has ended. Never refused: otherwise it would stay open for good. */
  close(opened: Closable, after?: Promise<unknown>): void;
}

interface Closable {
  close(): Promise<void>;
}

export interface FileCallLimits {
  /** Limit of the whole pool. */
  readonly threads: number;
  /** Default 5,000. */
  readonly readTimeoutMs?: number;
  /** After this a change counts as hanging: a slow disk may need time for a large file. Default 60,000. */
  readonly mutationPatienceMs?: number;
}

/** Threads of the pool for the rest of the process. */
const threadsForOthers = 2;

type Kind = "read" | "mutate" | "close";

/** Returns the size of this process's pool, as Node determines it. */
export function threadsOfPool(environment: Readonly<Record<string, string | undefined>> = process.env): number {
  return Math.max(1, Number.parseInt(environment["UV_THREADPOOL_SIZE"] ?? "4", 10) || 1);
}

/** One thread is for reads only, so that slow changes never hide the store's state. */
export function createFileCalls({
  threads,
  readTimeoutMs = 5_000,
  mutationPatienceMs = 60_000,
}: FileCallLimits): FileCalls {
  const maxPermits = Math.max(1, threads - threadsForOthers);
  const mutationPermits = Math.max(1, maxPermits - 1);
  const semaphore = createSemaphore<Kind>({
    mayAcquire: (kind, held) => held.total < maxPermits && (kind !== "mutate" || held.of(kind) < mutationPermits),
    // An open file keeps its descriptor.
    rank: (kind) => (kind === "close" ? 0 : 1),
  });
  /** Calls in progress, and from when each counts as hanging. */
  const running = new Set<{ readonly kind: Kind; readonly dueAt: number }>();
  /** Late reads per path that still hang. */
  const hangingReads = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  /** Milliseconds until every call hangs that blocks a call of this kind. */
  function untilAllHangMs(kind: Kind): number {
    const areMutationsAhead = kind === "mutate" && semaphore.held.of(kind) >= mutationPermits;
    const ahead = [...running].filter((call) => !areMutationsAhead || call.kind === kind);
    return Math.max(...ahead.map(({ dueAt }) => dueAt)) - performance.now();
  }

  /** Refuses waiting calls as soon as every blocking call hangs. */
  function watch(): void {
    clearTimeout(timer);
    let nextMs = Infinity;
    for (const kind of ["read", "mutate"] as const) {
      if (!semaphore.isWaiting(kind)) continue;
      const remainingMs = untilAllHangMs(kind);
      if (remainingMs <= 0) semaphore.refuseWaiting(kind, hangError());
      else nextMs = Math.min(nextMs, remainingMs);
    }
    if (nextMs < Infinity) timer = setTimeout(watch, Math.ceil(nextMs)).unref();
  }

  async function acquire(kind: Kind, patienceMs: number, signal?: AbortSignal): Promise<() => void> {
    const call = { kind, dueAt: Infinity };
    const acquiring = semaphore.acquire(kind, signal, () => {
      call.dueAt = performance.now() + patienceMs;
      running.add(call);
    });
    watch();
    const release = await acquiring;
    return () => {
      running.delete(call);
      release();
      watch();
    };
  }

  function markAsHanging(path: string, call: Promise<unknown>): void {
    hangingReads.set(path, (hangingReads.get(path) ?? 0) + 1);
    const forget = (): void => {
      const others = hangingReads.get(path)! - 1;
      if (others === 0) hangingReads.delete(path);
      else hangingReads.set(path, others);
    };
    call.then(forget, forget);
  }

  async function read<Result>(
    path: string,
    call: () => Promise<Result>,
    { signal, timeoutMs = readTimeoutMs, discard }: ReadOptions<Result> = {},
  ): Promise<Result> {
    if (hangingReads.has(path)) throw hangError();
    const late = hangError();
    const begun: { outcome?: Promise<Result> } = {};
    const run = async (over: AbortSignal): Promise<Result> => {
      const stopped = signal === undefined ? over : AbortSignal.any([over, signal]);
      const release = await acquire("read", timeoutMs, stopped);
      begun.outcome = call();
      begun.outcome.then(release, release);
      return unlessAborted(begun.outcome, stopped);
    };
    try {
      return await withinTime(run, timeoutMs, () => late);
    } catch (error) {
      if (begun.outcome === undefined) throw error;
      if (error === late) markAsHanging(path, begun.outcome);
      begun.outcome.then(discard, () => undefined);
      throw error;
    }
  }

  return {
    read,
    async mutate(call, { signal } = {}) {
      const release = await acquire("mutate", mutationPatienceMs, signal);
      return call().finally(release);
    },
    close(opened, after = Promise.resolve()) {
      const close = async (): Promise<void> => {
        const release = await acquire("close", readTimeoutMs);
        opened.close().then(release, release);
      };
      after.then(close, close);
    },
  };
}

function hangError(): StoreUnavailableError {
  return new StoreUnavailableError(
    "The file store does not answer: its file system has not ended what was asked of it before. Look at what is mounted there.",
  );
}
