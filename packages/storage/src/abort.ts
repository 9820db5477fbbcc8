import type { Readable } from "node:stream";

/** Destroys the stream with the signal's reason on abort; forgets the signal when the stream has closed. */
export function destroyOnAbort(stream: Readable, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  // Before a reader listens, an error must not end the process.
  stream.on("error", () => undefined);
  const onAbort = (): void => {
    stream.destroy(toError(signal.reason));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  stream.once("close", () => signal.removeEventListener("abort", onAbort));
  if (signal.aborted) onAbort();
}

export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The operation was aborted.", { cause: reason });
}
