import { createSemaphore, StoreUnavailableError, unlessAborted, withinTime } from "@reports/core/base";

/** Options of a look. */
export interface LookOptions<Result> {
  readonly signal?: AbortSignal | undefined;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  /** Takes a result that nobody waits for any more, such as a file that was opened too late. */
  readonly discard?: (late: Result) => unknown;
}

/**
 * The calls of one file system. Each may hold a thread of Node's pool for as long as the file system likes, and passwords, names of hosts and
 * every other file need that pool, too: at most some of its threads are ever in a store's hands. While all of those hang, further calls reject
 * with StoreUnavailableError at once, and so does a look at a path for as long as an earlier look at it hangs.
 */
export interface FileCalls {
  /** A call that changes nothing. Its caller waits until its deadline at most, for its place too, or until the signal. No thread is had back. */
  look<Result>(path: string, call: () => Promise<Result>, options?: LookOptions<Result>): Promise<Result>;
  /**
   * A call that changes something: whoever began it has to know what became of it, and waits for it. The signal ends only the wait for its
   * place.
   */
  change<Result>(call: () => Promise<Result>, options?: { readonly signal?: AbortSignal | undefined }): Promise<Result>;
  /**
   * Closes what nobody needs any more, once that call has ended in it and there is a place. Nobody waits for it, and it is never refused:
   * what is not closed would stay open for good.
   */
  close(opened: Closable, after?: Promise<unknown>): void;
}

/** A file or folder that is open. */
interface Closable {
  close(): Promise<void>;
}

/** How many threads there are, and how long they may be held. */
export interface FileCallLimits {
  /** Of the whole pool. */
  readonly threads: number;
  /** Default 5,000. */
  readonly lookTimeoutMs?: number;
  /** After which a change counts as hanging: a slow disk may take its time over a large file. Default 60,000. */
  readonly changePatienceMs?: number;
}

/** Threads of the pool that a store leaves to the rest of the process. */
const threadsForOthers = 2;

type Kind = "look" | "change" | "close";

/** The size of the pool of this process, as Node determines it. */
export function threadsOfPool(environment: Readonly<Record<string, string | undefined>> = process.env): number {
  return Math.max(1, Number.parseInt(environment["UV_THREADPOOL_SIZE"] ?? "4", 10) || 1);
}

/** Makes the calls of a file system. One of the threads is for looks alone, so that no number of slow changes hides the state of the store. */
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
  /** How many looks at each path hang, of those that were late. */
  const overdue = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  /** Returns the milliseconds after which every call hangs that a call of this kind waits for. */
  function untilHopelessMs(kind: Kind): number {
    const areChangesAhead = kind === "change" && places.held.of(kind) >= changePermits;
    const ahead = [...running].filter((call) => !areChangesAhead || call.kind === kind);
    return Math.max(...ahead.map(({ dueAt }) => dueAt)) - performance.now();
  }

  /** Refuses waiting calls as soon as every call that they wait for hangs. */
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
