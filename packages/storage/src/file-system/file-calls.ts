import { createSemaphore, StoreUnavailableError, unlessAborted, withinTime } from "@reports/core/base";

export interface LookOptions<Result> {
  readonly signal?: AbortSignal | undefined;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  /** Receives a result after its caller left, such as a file that was opened too late. */
  readonly discard?: (late: Result) => unknown;
}

/**
 * The calls of one file system. Each may hold a thread of Node's pool as long as the file system hangs, and passwords, host names and other
 * files need that pool too, so a store gets only some threads. While all of them hang, further calls immediately reject with
 * StoreUnavailableError, as does a read of a path whose earlier read hangs.
 */
export interface FileCalls {
  /** A call without changes. Its caller waits for a slot and the call until the deadline or the signal; the thread is not recovered. */
  look<Result>(path: string, call: () => Promise<Result>, options?: LookOptions<Result>): Promise<Result>;
  /** A call with changes, whose caller awaits the result. The signal only ends the wait for a slot. */
  change<Result>(call: () => Promise<Result>, options?: { readonly signal?: AbortSignal | undefined }): Promise<Result>;
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
  readonly lookTimeoutMs?: number;
  /** After this a change counts as hanging: a slow disk may need time for a large file. Default 60,000. */
  readonly changePatienceMs?: number;
}

/** Threads of the pool for the rest of the process. */
const threadsForOthers = 2;

type Kind = "look" | "change" | "close";

/** Returns the size of this process's pool, as Node determines it. */
export function threadsOfPool(environment: Readonly<Record<string, string | undefined>> = process.env): number {
  return Math.max(1, Number.parseInt(environment["UV_THREADPOOL_SIZE"] ?? "4", 10) || 1);
}

/** One thread is for reads only, so that slow changes never hide the store's state. */
export function createFileCalls({
  threads,
  lookTimeoutMs = 5_000,
  changePatienceMs = 60_000,
}: FileCallLimits): FileCalls {
  const permits = Math.max(1, threads - threadsForOthers);
  const changePermits = Math.max(1, permits - 1);
  const places = createSemaphore<Kind>({
    mayTake: (kind, held) => held.total < permits && (kind !== "change" || held.of(kind) < changePermits),
    // An open file keeps its descriptor.
    rank: (kind) => (kind === "close" ? 0 : 1),
  });
  /** Calls in progress, and from when each counts as hanging. */
  const running = new Set<{ readonly kind: Kind; readonly dueAt: number }>();
  /** Late reads per path that still hang. */
  const overdue = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  /** Milliseconds until every call hangs that blocks a call of this kind. */
  function untilHopelessMs(kind: Kind): number {
    const areChangesAhead = kind === "change" && places.held.of(kind) >= changePermits;
    const ahead = [...running].filter((call) => !areChangesAhead || call.kind === kind);
    return Math.max(...ahead.map(({ dueAt }) => dueAt)) - performance.now();
  }

  /** Refuses waiting calls as soon as every blocking call hangs. */
  function watch(): void {
    clearTimeout(timer);
    let nextMs = Infinity;
    for (const kind of ["look", "change"] as const) {
      if (!places.isWaiting(kind)) continue;
      const leftMs = untilHopelessMs(kind);
      if (leftMs <= 0) places.refuseWaiting(kind, hangs());
      else nextMs = Math.min(nextMs, leftMs);
    }
    if (nextMs < Infinity) timer = setTimeout(watch, Math.ceil(nextMs)).unref();
  }

  async function acquire(kind: Kind, patienceMs: number, signal?: AbortSignal): Promise<() => void> {
    const call = { kind, dueAt: Infinity };
    const acquiring = places.acquire(kind, signal, () => {
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

  function markUntilEnded(path: string, call: Promise<unknown>): void {
    overdue.set(path, (overdue.get(path) ?? 0) + 1);
    const forget = (): void => {
      const others = overdue.get(path)! - 1;
      if (others === 0) overdue.delete(path);
      else overdue.set(path, others);
    };
    call.then(forget, forget);
  }

  async function look<Result>(
    path: string,
    call: () => Promise<Result>,
    { signal, timeoutMs = lookTimeoutMs, discard }: LookOptions<Result> = {},
  ): Promise<Result> {
    if (overdue.has(path)) throw hangs();
    const late = hangs();
    const begun: { outcome?: Promise<Result> } = {};
    const run = async (over: AbortSignal): Promise<Result> => {
      const left = signal === undefined ? over : AbortSignal.any([over, signal]);
      const release = await acquire("look", timeoutMs, left);
      begun.outcome = call();
      begun.outcome.then(release, release);
      return unlessAborted(begun.outcome, left);
    };
    try {
      return await withinTime(run, timeoutMs, () => late);
    } catch (error) {
      if (begun.outcome === undefined) throw error;
      if (error === late) markUntilEnded(path, begun.outcome);
      begun.outcome.then(discard, () => undefined);
      throw error;
    }
  }

  return {
    look,
    async change(call, { signal } = {}) {
      const release = await acquire("change", changePatienceMs, signal);
      return call().finally(release);
    },
    close(opened, after = Promise.resolve()) {
      const close = async (): Promise<void> => {
        const release = await acquire("close", lookTimeoutMs);
        opened.close().then(release, release);
      };
      after.then(close, close);
    },
  };
}

function hangs(): StoreUnavailableError {
  return new StoreUnavailableError(
    "The file store does not answer: its file system has not ended what was asked of it before. Look at what is mounted there.",
  );
}
