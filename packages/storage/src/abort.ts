import type { Readable } from "node:stream";

export function destroyOnAbort(stream: Readable, signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  // An error event without a listener ends the process, and the reader of the stream may not listen yet.
  stream.on("error", () => undefined);
  const onAbort = (): void => {
    stream.destroy(abortReasonToError(signal.reason));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  stream.once("close", () => signal.removeEventListener("abort", onAbort));
  if (signal.aborted) onAbort();
}

export function abortReasonToError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The operation was aborted.", { cause: reason });
}
