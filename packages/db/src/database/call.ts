import { setTimeout as delay } from "node:timers/promises";
import { OutcomeUnknownError, StoreUnavailableError, awaitUnlessAborted } from "@reports/core/base";

/** How long a caller waits beyond its deadline for the result of a COMMIT that was sent before the deadline. */
const defaultCommitWaitMs = 60_000;
const standbyCheckMs = 1_000;

export interface Call {
  /** Aborts with StoreUnavailableError at the deadline. If the deadline passes during COMMIT, it aborts only with OutcomeUnknownError, later. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline; negative after it. */
  remainingMs(): number;
  /** Records that COMMIT is being sent. From now on the caller waits for the result beyond the deadline, because only the server knows it. */
  markCommitting(): void;
  readonly isCommitting: boolean;
  /** Whether the caller got an error because a synchronous standby delays the COMMIT. */
  readonly isDelayedByStandby: boolean;
}

/**
 * Limits work to the deadline. While a COMMIT is in progress, the caller waits up to `commitWaitMs` longer for its result.
 * `isStandbyDelaying` reports whether a synchronous standby delays COMMITs. Waiting is then useless, and the call rejects with
 * OutcomeUnknownError.
 */
export async function runWithDeadline<T>(
  deadlineMs: number,
  work: (call: Call) => Promise<T>,
  isStandbyDelaying: () => Promise<boolean> = async () => false,
  commitWaitMs = defaultCommitWaitMs,
): Promise<T> {
  const endsAt = performance.now() + deadlineMs;
  const over = new AbortController();
  /** Created late, because aborting a controller constructs an error. */
  let finished: AbortController | undefined;
  let isCommitting = false;
  let isDelayedByStandby = false;
  const awaitCommitResult = async (): Promise<void> => {
    const { signal } = (finished = new AbortController());
    const until = performance.now() + commitWaitMs;
    let reason: string | null = null;
    while (reason === null && !signal.aborted) {
      isDelayedByStandby = await isStandbyDelaying();
      if (isDelayedByStandby) reason = "Postgres waits for a synchronous standby to confirm a transaction.";
      else if (performance.now() >= until) reason = "Postgres did not say whether it committed a transaction.";
      else await delay(standbyCheckMs, undefined, { signal }).catch(() => undefined);
    }
    if (reason !== null && !signal.aborted) over.abort(new OutcomeUnknownError(reason));
  };
  const timer = setTimeout(() => {
    if (isCommitting) void awaitCommitResult();
    else over.abort(new StoreUnavailableError(`Postgres did not answer within ${deadlineMs} ms; try again later.`));
  }, deadlineMs);
  try {
    return await awaitUnlessAborted(
      work({
        signal: over.signal,
        remainingMs: () => endsAt - performance.now(),
        markCommitting: () => (isCommitting = true),
        get isCommitting() {
          return isCommitting;
        },
        get isDelayedByStandby() {
          return isDelayedByStandby;
        },
      }),
      over.signal,
    );
  } finally {
    clearTimeout(timer);
    finished?.abort();
  }
}
