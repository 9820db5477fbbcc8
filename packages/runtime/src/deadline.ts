import { addAbortListener } from "node:events";

export class DeadlineExceededError extends Error {
  override readonly name = "DeadlineExceededError";
  readonly timeoutMs: number;

  constructor(what: string, timeoutMs: number) {
    super(`${what} did not finish within ${timeoutMs} ms.`);
    this.timeoutMs = timeoutMs;
  }
}

/**
 * Runs work for at most `timeoutMs`, then rejects with DeadlineExceededError. If `parent` aborts, rejects with its reason. Rejects in time even if
 * the work ignores its signal, and ignores a later result. `what` is the subject of the error message, such as "The database check". The timer keeps
 * the process alive, unlike that of `runWithTimeLimit` in @reports/core, which this package may not import.
 */
export async function withDeadline<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  what: string,
  parent?: AbortSignal,
): Promise<Result> {
  parent?.throwIfAborted();
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    ended.reject(reason);
    controller.abort(reason);
  };
  const timer = setTimeout(() => end(new DeadlineExceededError(what, timeoutMs)), timeoutMs);
  using _ = parent && addAbortListener(parent, () => end(parent.reason));
  try {
    return await Promise.race([work(controller.signal), ended.promise]);
  } finally {
    clearTimeout(timer);
  }
}
