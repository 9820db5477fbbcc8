import { createSemaphore, StoreUnavailableError, awaitUnlessAborted, runWithTimeLimit } from "@reports/core/base";

export interface FileCallReadOptions<Result> {
  readonly signal?: AbortSignal | undefined;
  /** Time after which the read rejects. Default: 5,000 ms. */
  readonly timeoutMs?: number;
  /** Called with a result that arrives after the caller has stopped waiting, such as a file handle to close. */
  readonly discard?: (late: Result) => unknown;
}

/**
 * Calls of one file system. While it hangs, such as a network file system without its server, each call holds a thread of Node's pool. Password
 * hashes, DNS lookups and other files need the same pool, so a store uses only some of the threads. A walk with its own thread counts as one of
 * them. While all of those hang, further calls immediately reject with StoreUnavailableError. So does a read of a path whose earlier read still
 * hangs.
 */
export interface LimitedFileCalls {
  /**
   * Runs a call that changes nothing. Rejects at the deadline or when the signal aborts, but the call holds its thread of the pool until the call
   * ends.
   */
  read<Result>(path: string, call: () => Promise<Result>, options?: FileCallReadOptions<Result>): Promise<Result>;
  /**
   * Runs a call that changes the file system. The signal ends only the wait for a permit: during the change itself, the caller waits, because it
   * must know whether the change was made.
   */
  mutate<Result>(call: () => Promise<Result>, options?: { readonly signal?: AbortSignal | undefined }): Promise<Result>;
  /** Closes a file or folder after `after` has ended. A close is never refused, because the file would then stay open for ever. */
  close(opened: Closable, after?: Promise<unknown>): void;
}

interface Closable {
  close(): Promise<void>;
}

export interface FileCallLimits {
  /** Number of threads in Node's whole pool, which the store shares with the rest of the process. */
  readonly threads: number;
  /** Default time limit of a read. Default: 5,000 ms. */
  readonly readTimeoutMs?: number;
  /** Time after which a call that changes the file system counts as hanging. A slow disk may need long for a large file. Default: 60,000 ms. */
  readonly mutationPatienceMs?: number;
}

const threadsForOthers = 2;

type CallKind = "read" | "mutate" | "close";

/** Returns the number of threads in Node's pool, which UV_THREADPOOL_SIZE sets. */
export function readThreadPoolSize(environment: Readonly<Record<string, string | undefined>> = process.env): number {
  return Math.max(1, Number.parseInt(environment["UV_THREADPOOL_SIZE"] ?? "4", 10) || 1);
}

/** Creates the calls of one file system. Changes leave one thread to reads, so that the state of the store can always be read. */
export function createLimitedFileCalls({
  threads,
  readTimeoutMs = 5_000,
  mutationPatienceMs = 60_000,
}: FileCallLimits): LimitedFileCalls {
  const maxPermits = Math.max(1, threads - threadsForOthers);
  const mutationPermits = Math.max(1, maxPermits - 1);
  const semaphore = createSemaphore<CallKind>({
    mayAcquire: (kind, held) => held.total < maxPermits && (kind !== "mutate" || held.of(kind) < mutationPermits),
    // Closing a file has precedence over other waiting calls, because an open file holds a descriptor.
    rank: (kind) => (kind === "close" ? 0 : 1),
  });
  /** Calls in progress, with the time in milliseconds (`performance.now()`) after which each counts as hanging. */
  const running = new Set<{ readonly kind: CallKind; readonly dueAt: number }>();
  const hangingReads = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  /** Returns the milliseconds from now until all calls that hold the permits for this kind of call count as hanging. At most 0 if they already do. */
  function untilAllHangMs(kind: CallKind): number {
    const areMutationsAhead = kind === "mutate" && semaphore.held.of(kind) >= mutationPermits;
    const ahead = [...running].filter((call) => !areMutationsAhead || call.kind === kind);
    return Math.max(...ahead.map(({ dueAt }) => dueAt)) - performance.now();
  }

  function watch(): void {
    clearTimeout(timer);
    let nextMs = Infinity;
    for (const kind of ["read", "mutate"] as const) {
      if (!semaphore.isWaiting(kind)) continue;
      const remainingMs = untilAllHangMs(kind);
      if (remainingMs <= 0) semaphore.refuseWaiting(kind, createHangError());
      else nextMs = Math.min(nextMs, remainingMs);
    }
    if (nextMs < Infinity) timer = setTimeout(watch, Math.ceil(nextMs)).unref();
  }

  async function acquire(kind: CallKind, patienceMs: number, signal?: AbortSignal): Promise<() => void> {
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
    { signal, timeoutMs = readTimeoutMs, discard }: FileCallReadOptions<Result> = {},
  ): Promise<Result> {
    if (hangingReads.has(path)) throw createHangError();
    // The error is created only at the deadline, because creating its stack trace takes as long as a small read.
    let late: StoreUnavailableError | undefined;
    const begun: { outcome?: Promise<Result> } = {};
    const run = async (over: AbortSignal): Promise<Result> => {
      const stopped = signal === undefined ? over : AbortSignal.any([over, signal]);
      const release = await acquire("read", timeoutMs, stopped);
      begun.outcome = call();
      begun.outcome.then(release, release);
      return awaitUnlessAborted(begun.outcome, stopped);
    };
    try {
      return await runWithTimeLimit(run, timeoutMs, () => (late = createHangError()));
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

function createHangError(): StoreUnavailableError {
  return new StoreUnavailableError(
    "The file store does not answer: earlier calls to its file system have not ended. Check what is mounted there.",
  );
}
