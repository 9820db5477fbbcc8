/** HTML Living Standard §9.2. */
export interface ServerSentEvent {
  readonly event: string;
  /** Last-Event-ID of a reconnecting caller; without one, the previous ID stays. */
  readonly id?: string;
  readonly data: unknown;
}

/** JSON has no line breaks, so data is one line. */
export function formatEvent({ event, id, data }: ServerSentEvent): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A caller's delay before reconnecting after an unexpected end. */
const reconnectMs = 1_000;

/**
 * Adds a comment after each silence of `everyMs`, so that nothing takes the connection for dead. Reads the next text only when
 * the last one was taken, so that slow readers need no buffer.
 */
export async function* withHeartbeat(source: AsyncGenerator<string>, everyMs: number): AsyncGenerator<string> {
  // Sent immediately, so that the caller sees the stream begin.
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
 * Makes a function that waits up to `withinMs` for the promise and can be called repeatedly. It uses one reaction: races would leave one
 * per silence. Rejections need no report: their reader is gone.
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
