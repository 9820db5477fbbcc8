import type { Readable } from "node:stream";

/** Passes the first `maxBytes` of a process's output to `write`, then says that the output was cut and closes it. Ignores errors of the output. */
export function forwardOutput(output: Readable, maxBytes: number, write: (chunk: Buffer) => void): void {
  let left = maxBytes;
  output.on("error", () => undefined);
  output.on("data", (chunk: Buffer) => {
    // Chunks that were read before `output.destroy()` can still arrive. They are ignored.
    if (left < 0) return;
    write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left >= 0) return;
    write(Buffer.from(`\nThe output was cut after ${maxBytes} bytes.\n`));
    output.destroy();
  });
}
