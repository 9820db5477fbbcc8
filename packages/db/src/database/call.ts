import { setTimeout as delay } from "node:timers/promises";
import { OutcomeUnknownError, StoreUnavailableError, unlessAborted } from "@reports/core/base";

/** How long a caller is kept waiting after the deadline for the answer to a COMMIT that was sent before it. */
const defaultFateMs = 60_000;
/** Interval between checks of a COMMIT without an answer. */
const lookEveryMs = 1_000;

/** One call of a database, between its beginning and the moment at which its caller has an answer. */
export interface Call {
  /** Aborts with StoreUnavailableError when the caller is answered without the work's result. */
  readonly signal: AbortSignal;
  /** Time until the caller gives up; negative afterwards. */
  remainingMs(): number;
  /** COMMIT is being sent: from now on the caller waits for its outcome, because only the server knows it. */
  commits(): void;
  readonly isCommitting: boolean;
  /** Whether the caller was answered because a synchronous standby holds the COMMIT up. */
  readonly isHeldUp: boolean;
}

/**
 * Runs work so that the caller gets an answer within the deadline, except while the work's COMMIT is in progress. `isHeld` reports whether a
 * synchronous standby holds COMMITs up: waiting longer is useless then, and the call rejects with OutcomeUnknownError.
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
