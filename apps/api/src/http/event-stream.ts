/** A server-sent event, as the HTML standard defines it. */
export interface ServerSentEvent {
  readonly event: string;
  /** A caller that reconnects sends this ID as `Last-Event-ID`. If it is missing, the caller keeps the previous ID. */
  readonly id?: string;
  readonly data: unknown;
}

/** Formats an event. JSON contains no line breaks, so `data` is one line. */
export function formatEvent({ event, id, data }: ServerSentEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** How long a caller waits before it reconnects after an unexpected end. */
const reconnectMs = 1_000;

/**
 * Adds a comment after each silence of `everyMs`, so that no proxy closes the connection as idle. Reads the next text only after the reader
 * has taken the previous one, so that slow readers need no buffer.
 */
export async function* addHeartbeats(source: AsyncGenerator<string>, everyMs: number): AsyncGenerator<string> {
  // The reconnection time is sent immediately, so that the caller sees that the stream has begun.
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
 * Returns a function that waits up to `withinMs` for the promise and reports whether the promise has settled. All its calls share one
 * reaction to the promise, because each `Promise.race` would leave another one in memory.
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
