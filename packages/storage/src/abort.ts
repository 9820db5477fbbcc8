import type { Readable } from "node:stream";

/** Destroys the stream with the signal's reason when the signal aborts, and forgets the signal when the stream has closed. */
export function destroyOnAbort(stream: Readable, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  // A reader gets the error as well; until there is one it must not end the process.
  stream.on("error", () => undefined);
  const onAbort = (): void => {
    stream.destroy(toError(signal.reason));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  stream.once("close", () => signal.removeEventListener("abort", onAbort));
  if (signal.aborted) onAbort();
}

/** The reason itself when it is an error, else an error that holds it. */
export function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The operation was aborted.", { cause: reason });
}
