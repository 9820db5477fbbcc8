import { setTimeout as delay } from "node:timers/promises";
import { OutcomeUnknownError, StoreUnavailableError, unlessAborted } from "@reports/core/base";

/** How long a caller waits beyond the deadline for the result of a COMMIT that was sent in time. */
const defaultCommitWaitMs = 60_000;
const checkEveryMs = 1_000;

export interface Call {
  /** Aborts with StoreUnavailableError when the caller stops waiting. */
  readonly signal: AbortSignal;
  /** Negative after the deadline. */
  remainingMs(): number;
  /** COMMIT is being sent: the caller now waits for its result, which only the server knows. */
  markCommitting(): void;
  readonly isCommitting: boolean;
  /** Whether the caller was answered because a synchronous standby delays the COMMIT. */
  readonly isDelayedByStandby: boolean;
}

/**
 * Limits work to the deadline, except while its COMMIT is in progress. `isStandbyDelaying` reports whether a synchronous standby delays COMMITs: then
 * waiting is useless, and the call rejects with OutcomeUnknownError.
 */
export async function withinCall<T>(
  deadlineMs: number,
  work: (call: Call) => Promise<T>,
  isStandbyDelaying: () => Promise<boolean> = async () => false,
  commitWaitMs = defaultCommitWaitMs,
): Promise<T> {
  const endsAt = performance.now() + deadlineMs;
  const over = new AbortController();
  const finished = new AbortController();
  let isCommitting = false;
  let isDelayedByStandby = false;
  const awaitCommitResult = async (): Promise<void> => {
    const until = performance.now() + commitWaitMs;
    let reason: string | null = null;
    while (reason === null && !finished.signal.aborted) {
      isDelayedByStandby = await isStandbyDelaying();
      if (isDelayedByStandby) reason = "Postgres waits for a synchronous standby to confirm a transaction.";
      else if (performance.now() >= until) reason = "Postgres did not say whether it committed a transaction.";
      else await delay(checkEveryMs, undefined, { signal: finished.signal }).catch(() => undefined);
    }
    if (reason !== null && !finished.signal.aborted) over.abort(new OutcomeUnknownError(reason));
  };
  const timer = setTimeout(() => {
    if (isCommitting) void awaitCommitResult();
    else over.abort(new StoreUnavailableError(`Postgres did not answer within ${deadlineMs} ms; try again later.`));
  }, deadlineMs);
  try {
    return await unlessAborted(
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
    finished.abort();
  }
}
