import type { Server, Socket } from "node:net";

/** Milliseconds between two checks. In this time, the single thread of the process can't write so much that memory runs out. */
const checkIntervalMs = 250;

interface ReaderState {
  taken: number;
  since: number;
}

export interface UnreadOutputMeter {
  /** Returns the number of bytes that were written to the connection and that the kernel has not taken yet. */
  bytes(): number;
}

/**
 * Limits the size of the unread responses of all connections together. Otherwise, 2,000 callers that do not read their lists would hold 1 GB,
 * although each of them alone is within the limits of slow-readers.ts. Above `maxBytes`, closes the connections that have read nothing for the
 * longest time. 0 means no limit.
 */
export function limitUnreadOutput(
  server: Server,
  maxBytes: number,
  onDrop: (dropped: { readonly waitingBytes: number; readonly totalBytes: number }) => void,
): UnreadOutputMeter {
  const readings = new Map<Socket, ReaderState>();
  server.on("connection", (socket) => {
    readings.set(socket, { taken: 0, since: performance.now() });
    socket.once("close", () => readings.delete(socket));
  });
  const bytes = (): number => {
    let total = 0;
    for (const socket of readings.keys()) total += socket.writableLength;
    return total;
  };
  const check = (): void => {
    let totalBytes = 0;
    const waiting: [Socket, ReaderState][] = [];
    for (const [socket, reading] of readings) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (taken !== reading.taken || socket.writableLength === 0)
        Object.assign(reading, { taken, since: performance.now() });
      if (socket.writableLength > 0) waiting.push([socket, reading]);
      totalBytes += socket.writableLength;
    }
    if (totalBytes <= maxBytes) return;
    waiting.sort(([, one], [, other]) => one.since - other.since);
    for (const [socket] of waiting) {
      if (totalBytes <= maxBytes) return;
      const waitingBytes = socket.writableLength;
      socket.destroy();
      onDrop({ waitingBytes, totalBytes });
      totalBytes -= waitingBytes;
    }
  };
  if (maxBytes > 0) {
    const timer = setInterval(check, checkIntervalMs).unref();
    server.once("close", () => clearInterval(timer));
  }
  return { bytes };
}
