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
      // Who stops reading in between leaves nobody to be told.
      pending.catch(() => undefined);
      let next = await orSilence(pending, everyMs);
      while (next === "silence") {
        yield ": still here\n\n";
        next = await orSilence(pending, everyMs);
      }
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await source.return(undefined);
  }
}

async function orSilence<T>(pending: Promise<T>, afterMs: number): Promise<T | "silence"> {
  const { promise, resolve } = Promise.withResolvers<"silence">();
  const timer = setTimeout(() => resolve("silence"), afterMs);
  try {
    return await Promise.race([pending, promise]);
  } finally {
    clearTimeout(timer);
  }
}
