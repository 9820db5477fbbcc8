export interface ServerSentEvent {
  readonly event: string;
  /** A client that reconnects sends the last ID that it received as `Last-Event-ID`. An event without an ID does not change it. */
  readonly id?: string;
  readonly data: unknown;
}

/** Formats an event. JSON contains no line breaks, so `data` is one line. */
export function formatServerSentEvent({ event, id, data }: ServerSentEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Time that a client waits before it reconnects after the stream has broken. */
const reconnectMs = 1_000;

/**
 * Adds a comment to the stream after each `everyMs` milliseconds without a text, so that proxies do not close the idle connection. Reads the next
 * text only when the reader has taken the previous one, so that slow readers need no buffer.
 */
export async function* addHeartbeats(source: AsyncGenerator<string>, everyMs: number): AsyncGenerator<string> {
  // The stream begins with the reconnection time, so that the caller receives something before the first event.
  yield `retry: ${reconnectMs}\n\n`;
  try {
    for (;;) {
      const pending = source.next();
      const settlesWithin = createSettledCheck(pending);
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
 * Returns a function that waits up to `withinMs` for the promise and reports whether it has settled. All calls share one reaction to the promise.
 * With `Promise.race`, each call would add a reaction, which stays in memory as long as the promise.
 */
function createSettledCheck(pending: Promise<unknown>): (withinMs: number) => Promise<boolean> {
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
