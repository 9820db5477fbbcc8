import type { Server, Socket } from "node:net";

/** How often all connections are checked. One thread limits how many responses can be produced within that time. */
const everyMs = 250;

/** What a connection has to say about its reader. */
interface Reading {
  taken: number;
  since: number;
}

/** What answers wait for their readers, of one server. */
export interface UnreadOutput {
  /** Bytes that were written and have not been taken by the kernel. */
  bytes(): number;
}

/**
 * Bounds what all connections together have been answered and not read: two thousand callers who read nothing of a list each would hold a
 * gigabyte, and none of them is slow enough for itself (slow-readers.ts). Above `maxBytes` the connections that have taken nothing for
 * the longest time are cut off until the rest fits; 0 for no bound.
 */
export function boundUnreadOutput(
  server: Server,
  maxBytes: number,
  onDrop: (dropped: { readonly waitingBytes: number; readonly totalBytes: number }) => void,
): UnreadOutput {
  const readings = new Map<Socket, Reading>();
  server.on("connection", (socket) => {
    readings.set(socket, { taken: 0, since: performance.now() });
    socket.once("close", () => readings.delete(socket));
  });
  const bytes = (): number => {
    let total = 0;
    for (const socket of readings.keys()) total += socket.writableLength;
    return total;
  };
  const look = (): void => {
    let totalBytes = 0;
    const waiting: [Socket, Reading][] = [];
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
    const timer = setInterval(look, everyMs).unref();
    server.once("close", () => clearInterval(timer));
  }
  return { bytes };
}
