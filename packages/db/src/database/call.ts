import { setTimeout as delay } from "node:timers/promises";
import { OutcomeUnknownError, StoreUnavailableError, unlessAborted } from "@reports/core/base";

/** How long a caller waits beyond the deadline for the result of a COMMIT that was sent in time. */
const defaultFateMs = 60_000;
const lookEveryMs = 1_000;

export interface Call {
  /** Aborts with StoreUnavailableError when the caller stops waiting. */
  readonly signal: AbortSignal;
  /** Negative after the deadline. */
  remainingMs(): number;
  /** COMMIT is being sent: the caller now waits for its result, which only the server knows. */
  commits(): void;
  readonly isCommitting: boolean;
  /** Whether the caller was answered because a synchronous standby delays the COMMIT. */
  readonly isHeldUp: boolean;
}

/**
 * Limits work to the deadline, except while its COMMIT is in progress. `isHeld` reports whether a synchronous standby delays COMMITs: then
 * waiting is useless, and the call rejects with OutcomeUnknownError.
 */
export async function withinCall<T>(
  deadlineMs: number,
  work: (call: Call) => Promise<T>,
  isHeld: () => Promise<boolean> = async () => false,
  fateMs = defaultFateMs,
): Promise<T> {
  const endsAt = performance.now() + deadlineMs;
  const over = new AbortController();
  const settled = new AbortController();
  let isCommitting = false;
  let isHeldUp = false;
  const awaitFate = async (): Promise<void> => {
    const until = performance.now() + fateMs;
    let reason: string | null = null;
    while (reason === null && !settled.signal.aborted) {
      isHeldUp = await isHeld();
      if (isHeldUp) reason = "Postgres waits for a synchronous standby to confirm a transaction.";
      else if (performance.now() >= until) reason = "Postgres did not say whether it committed a transaction.";
      else await delay(lookEveryMs, undefined, { signal: settled.signal }).catch(() => undefined);
    }
    if (reason !== null && !settled.signal.aborted) over.abort(new OutcomeUnknownError(reason));
  };
  const timer = setTimeout(() => {
    if (isCommitting) void awaitFate();
    else over.abort(new StoreUnavailableError(`Postgres did not answer within ${deadlineMs} ms; try again later.`));
  }, deadlineMs);
  try {
    return await unlessAborted(
      work({
        signal: over.signal,
        remainingMs: () => endsAt - performance.now(),
        commits: () => (isCommitting = true),
        get isCommitting() {
          return isCommitting;
        },
        get isHeldUp() {
          return isHeldUp;
        },
      }),
      over.signal,
    );
  } finally {
    clearTimeout(timer);
    settled.abort();
  }
}
