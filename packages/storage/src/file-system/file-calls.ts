import { StoreUnavailableError, unlessAborted, withinTime } from "@reports/core";

/** What a look may be told. */
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

/** What the process leaves to others, at the least, of a pool of so many. */
const threadsForOthers = 2;

interface Running {
  readonly isChange: boolean;
  /** From when on it counts as one that hangs. */
  readonly dueAt: number;
}

interface Waiter {
  readonly isChange: boolean;
  begin(): void;
  refuse(): void;
}

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
  const running = new Set<Running>();
  const waiting = new Set<Waiter>();
  const toClose = new Set<Closable>();
  /** How many looks at each path hang, of those that were late. */
  const overdue = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const changes = (): readonly Running[] => [...running].filter((call) => call.isChange);
  const hasTooManyChanges = (isChange: boolean): boolean => isChange && changes().length >= changePermits;
  const mayBegin = (isChange: boolean): boolean => running.size < permits && !hasTooManyChanges(isChange);
  /** When everything hangs that keeps such a call from beginning. */
  const untilHopelessMs = (isChange: boolean): number => {
    const ahead = hasTooManyChanges(isChange) ? changes() : [...running];
    return Math.max(...ahead.map(({ dueAt }) => dueAt)) - performance.now();
  };

  function take(isChange: boolean, patienceMs: number): () => void {
    const call = { isChange, dueAt: performance.now() + patienceMs };
    running.add(call);
    return () => {
      running.delete(call);
      closeSome();
      for (const waiter of waiting) {
        if (running.size >= permits) break;
        if (mayBegin(waiter.isChange)) waiter.begin();
      }
      watch();
    };
  }

  function closeSome(): void {
    for (const opened of toClose) {
      if (!mayBegin(false)) return;
      toClose.delete(opened);
      const release = take(false, lookTimeoutMs);
      opened.close().then(release, release);
    }
  }

  /** Refuses those who wait once everything ahead of them hangs. */
  function watch(): void {
    clearTimeout(timer);
    if (waiting.size === 0) return;
    const kinds = new Set(waiting.values().map(({ isChange }) => isChange));
    const nextMs = Math.min(...kinds.values().map(untilHopelessMs));
    timer = setTimeout(refuseHopeless, Math.max(1, Math.ceil(nextMs))).unref();
  }

  function refuseHopeless(): void {
    for (const waiter of waiting) if (untilHopelessMs(waiter.isChange) <= 0) waiter.refuse();
    watch();
  }

  async function acquire(isChange: boolean, patienceMs: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (mayBegin(isChange)) return take(isChange, patienceMs);
    if (untilHopelessMs(isChange) <= 0) throw hangs();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const end = (then: () => void): void => {
      signal?.removeEventListener("abort", leave);
      waiting.delete(waiter);
      then();
    };
    const leave = (): void => end(() => reject(signal!.reason));
    const waiter: Waiter = {
      isChange,
      begin: () => end(() => resolve(take(isChange, patienceMs))),
      refuse: () => end(() => reject(hangs())),
    };
    waiting.add(waiter);
    signal?.addEventListener("abort", leave, { once: true });
    watch();
    return promise;
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
      const release = await acquire(false, timeoutMs, left);
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
      const release = await acquire(true, changePatienceMs, signal);
      return call().finally(release);
    },
    close(opened, after = Promise.resolve()) {
      const enter = (): void => {
        toClose.add(opened);
        closeSome();
      };
      after.then(enter, enter);
    },
  };
}

function hangs(): StoreUnavailableError {
  return new StoreUnavailableError(
    "The file store does not answer: its file system has not ended what was asked of it before. Look at what is mounted there.",
  );
}
