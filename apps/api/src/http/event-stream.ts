/** One server-sent event. HTML Living Standard §9.2. */
export interface ServerSentEvent {
  readonly event: string;
  /** What a caller that comes back says as Last-Event-ID; without one, the last that had one stays. */
  readonly id?: string;
  readonly data: unknown;
}

/** Writes an event. JSON has no line breaks, so data is one line. */
export function formatEvent({ event, id, data }: ServerSentEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** How long a caller waits before it comes back after an end that it did not expect. */
const reconnectMs = 1_000;

/**
 * The same texts, with a comment whenever nothing came for that long, so that nothing in between takes the connection for dead.
 * Asks for the next text only when the last one was taken: who reads slowly makes nothing grow.
 */
export async function* withHeartbeat(source: AsyncGenerator<string>, everyMs: number): AsyncGenerator<string> {
  // Sent at once, so that the caller sees the stream begin.
  yield `retry: ${reconnectMs}\n\n`;
  try {
    for (;;) {
      const pending = source.next();
      const settlesWithin = watch(pending);
      while (!(await settlesWithin(everyMs))) yield ": still here\n\n";
      const next = await pending;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await source.return(undefined);
  }
}

/**
 * Tells whether the promise settles within so many ms, as often as it is asked. One reaction serves all of them: those of races would stay,
 * of each silence one, until it settles. Nor has anybody to be told of a rejection: who stops reading in between is gone.
 */
function watch(pending: Promise<unknown>): (withinMs: number) => Promise<boolean> {
  let isSettled = false;
  let wake = (): void => undefined;
  const settle = (): void => {
    isSettled = true;
    wake();
  };
  pending.then(settle, settle);
  return async (withinMs) => {
    if (isSettled) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, withinMs);
    await promise;
    clearTimeout(timer);
    return isSettled;
  };
}
