import type { Server, Socket } from "node:net";

export interface SlowReaderLimits {
  /** 0 turns the limit off. */
  readonly bytesPerSecond: number;
  /** Nobody is cut off earlier. */
  readonly patienceMs: number;
}

/** The used part of net.Socket. */
interface Reader {
  /** Includes waiting bytes. */
  readonly bytesWritten: number;
  /** Waiting bytes, in writing order. */
  readonly writableLength: number;
}

/** How long waiting bytes may stay untouched: as long as all of them take at the lowest rate. */
function patienceOf(waitingBytes: number, { bytesPerSecond, patienceMs }: SlowReaderLimits): number {
  return Math.max(patienceMs, (waitingBytes / bytesPerSecond) * 1000);
}

/** Makes a check for one connection's slow reader. `now` is monotonic, in milliseconds. */
export function createSlowReaderCheck(limits: SlowReaderLimits): (reader: Reader, now: number) => boolean {
  let taken = -1;
  let since = 0;
  return ({ bytesWritten, writableLength }, now) => {
    // A write counts when the kernel has all of it, so this grows by whole writes: 64 KiB of a file.
    const takenNow = bytesWritten - writableLength;
    if (writableLength === 0 || takenNow !== taken) {
      taken = takenNow;
      since = now;
      return false;
    }
    return now - since > patienceOf(writableLength, limits);
  };
}

/**
 * Closes connections whose caller reads more slowly than `bytesPerSecond` while data wait: one that reads a byte now and then is never
 * idle, and would hold a download slot, a file and memory. (As Kestrel's MinResponseDataRate; nginx and others only limit idle readers.)
 */
export function dropSlowReaders(
  server: Server,
  limits: SlowReaderLimits,
  onDrop: (dropped: { readonly waitingBytes: number; readonly takenBytes: number }) => void,
): void {
  if (limits.bytesPerSecond === 0) return;
  const isTooSlowOf = new Map<Socket, ReturnType<typeof createSlowReaderCheck>>();
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
    isTooSlowOf.set(socket, createSlowReaderCheck(limits));
    socket.once("close", () => isTooSlowOf.delete(socket));
  });
  server.once("close", () => clearInterval(timer));
}
