import { setTimeout as delay } from "node:timers/promises";
import { CommitOutcomeUnknownError, StoreUnavailableError, awaitUnlessAborted } from "@reports/core/base";

const defaultCommitWaitMs = 60_000;
const standbyCheckMs = 1_000;

export interface DatabaseCall {
  /**
   * Aborts with StoreUnavailableError at the deadline. If COMMIT has been sent by then, it aborts only when the wait for the result ends,
   * with CommitOutcomeUnknownError.
   */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Must be called before COMMIT is sent. From then on, the caller waits for the result beyond the deadline, because only the server knows it. */
  markCommitting(): void;
  readonly isCommitting: boolean;
  readonly isDelayedByStandby: boolean;
}

/**
 * Rejects with StoreUnavailableError if `work` takes longer than `deadlineMs`. If `work` has sent COMMIT by then, waits up to `commitWaitMs` more for
 * the result, and then rejects with CommitOutcomeUnknownError. Rejects with CommitOutcomeUnknownError sooner if `isStandbyDelaying` reports that a synchronous
 * standby delays COMMITs.
 */
export async function runDatabaseCall<T>(
  deadlineMs: number,
  work: (call: DatabaseCall) => Promise<T>,
  isStandbyDelaying: () => Promise<boolean> = async () => false,
  commitWaitMs = defaultCommitWaitMs,
): Promise<T> {
  const endsAt = performance.now() + deadlineMs;
  const over = new AbortController();
  /** Created only when needed, because aborting a controller constructs an error with a stack. */
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
    if (reason !== null && !signal.aborted) over.abort(new CommitOutcomeUnknownError(reason));
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
