import { StoreUnavailableError, unlessAborted } from "@reports/core";

/** How long a caller is kept waiting for the answer to a COMMIT that was sent before the deadline. */
const fateMs = 60_000;

/** One call of a database, between its beginning and the moment at which its caller has an answer. */
export interface Call {
  /** Aborts with StoreUnavailableError when the caller is answered without the work's result. */
  readonly signal: AbortSignal;
  /** Time until the caller gives up; negative afterwards. */
  remainingMs(): number;
  /** COMMIT is being sent: from now on the caller waits for what becomes of it, because only the server knows. */
  commits(): void;
  readonly isCommitting: boolean;
}

/** Runs work so that the caller gets an answer within the deadline, except while the work's COMMIT is in progress. */
export async function withinCall<T>(deadlineMs: number, work: (call: Call) => Promise<T>): Promise<T> {
  const endsAt = performance.now() + deadlineMs;
  const over = new AbortController();
  const end = (message: string): void => over.abort(new StoreUnavailableError(message));
  let isCommitting = false;
  const onDeadline = (): void => {
    if (isCommitting) {
      timer = setTimeout(() => end("Postgres did not say whether it committed a transaction."), fateMs);
    } else end(`Postgres did not answer within ${deadlineMs} ms; try again later.`);
  };
  let timer = setTimeout(onDeadline, deadlineMs);
  try {
    return await unlessAborted(
      work({
        signal: over.signal,
        remainingMs: () => endsAt - performance.now(),
        commits: () => (isCommitting = true),
        get isCommitting() {
          return isCommitting;
        },
      }),
      over.signal,
    );
  } finally {
    clearTimeout(timer);
  }
}
