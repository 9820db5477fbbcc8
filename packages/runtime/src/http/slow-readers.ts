import type { Server, Socket } from "node:net";

export interface SlowReaderLimits {
  /** Minimum rate at which a caller must read. 0 turns the limit off. */
  readonly bytesPerSecond: number;
  /** Minimum time without progress, in milliseconds, before a connection is closed, even if only a few bytes wait. */
  readonly patienceMs: number;
}

interface ReaderProgress {
  /** Bytes of responses written to the connection, including bytes that still wait in the buffer. */
  readonly bytesWritten: number;
  /** Bytes of responses that wait in Node's buffer for the caller. */
  readonly writableLength: number;
}

/** Returns how many milliseconds may pass without progress: as many as all waiting bytes take at the minimum rate. */
function maxWaitMs(waitingBytes: number, { bytesPerSecond, patienceMs }: SlowReaderLimits): number {
  return Math.max(patienceMs, (waitingBytes / bytesPerSecond) * 1000);
}

/** Returns a function that reports whether the caller of one connection reads too slowly. Its `now` is a monotonic time in milliseconds. */
export function createSlowReaderDetector(limits: SlowReaderLimits): (reader: ReaderProgress, now: number) => boolean {
  let taken = -1;
  let since = 0;
  return ({ bytesWritten, writableLength }, now) => {
    // Node counts a write when the kernel has taken all of it. So this number grows by whole writes, such as 64 KiB of a file.
    const takenNow = bytesWritten - writableLength;
    if (writableLength === 0 || takenNow !== taken) {
      taken = takenNow;
      since = now;
      return false;
    }
    return now - since > maxWaitMs(writableLength, limits);
  };
}

/**
 * Closes connections whose caller reads more slowly than `bytesPerSecond` while data wait for it. A caller that reads a byte now and then never
 * counts as idle, and would hold a download permit, a file and memory. (Kestrel has the same limit as MinResponseDataRate.)
 */
export function dropSlowReaders(
  server: Server,
  limits: SlowReaderLimits,
  onDrop: (dropped: { readonly waitingBytes: number; readonly takenBytes: number }) => void,
): void {
  if (limits.bytesPerSecond === 0) return;
  const isTooSlowOf = new Map<Socket, ReturnType<typeof createSlowReaderDetector>>();
  const timer = setInterval(
    () => {
      for (const [socket, isTooSlow] of isTooSlowOf) {
        const { writableLength: waitingBytes, bytesWritten } = socket;
        if (!isTooSlow(socket, performance.now())) continue;
        socket.destroy();
        onDrop({ waitingBytes, takenBytes: bytesWritten - waitingBytes });
      }
    },
    Math.min(1_000, limits.patienceMs),
  ).unref();
  server.on("connection", (socket) => {
    isTooSlowOf.set(socket, createSlowReaderDetector(limits));
    socket.once("close", () => isTooSlowOf.delete(socket));
  });
  server.once("close", () => clearInterval(timer));
}
