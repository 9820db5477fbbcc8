import type { Server, Socket } from "node:net";

/** From when on somebody reads too slowly. */
export interface SlowReaderLimits {
  /** 0 switches the limit off. */
  readonly bytesPerSecond: number;
  /** Nobody is cut off earlier, however little waits. */
  readonly patienceMs: number;
}

/** What is known of a connection: net.Socket. */
interface Reader {
  /** Everything that was written, what still waits included. */
  readonly bytesWritten: number;
  /** What waits, in the order in which it was written. */
  readonly writableLength: number;
}

/** How long nothing may be taken of what waits: as long as all of it takes at the lowest rate. */
function patienceOf(waitingBytes: number, { bytesPerSecond, patienceMs }: SlowReaderLimits): number {
  return Math.max(patienceMs, (waitingBytes / bytesPerSecond) * 1000);
}

/** Makes the judge of one connection, which is asked now and then whether its reader is too slow. `now` is in milliseconds that only grow. */
export function createReaderJudge(limits: SlowReaderLimits): (reader: Reader, now: number) => boolean {
  let taken = -1;
  let since = 0;
  return ({ bytesWritten, writableLength }, now) => {
    // A write counts once the kernel has all of it, so that this grows by whole writes: 64 KiB of a file.
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
 * Closes connections whose caller reads more slowly than so many bytes a second while data are ready for it: a caller that reads a byte now
 * and then is never idle, and would hold a download slot, an open file and memory for as long as it likes. (Kestrel's
 * MinResponseDataRate; nginx and others know idle readers only.)
 */
export function dropSlowReaders(
  server: Server,
  limits: SlowReaderLimits,
  onDrop: (dropped: { readonly waitingBytes: number; readonly takenBytes: number }) => void,
): void {
  if (limits.bytesPerSecond === 0) return;
  const isTooSlowOf = new Map<Socket, ReturnType<typeof createReaderJudge>>();
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
    isTooSlowOf.set(socket, createReaderJudge(limits));
    socket.once("close", () => isTooSlowOf.delete(socket));
  });
  server.once("close", () => clearInterval(timer));
}
