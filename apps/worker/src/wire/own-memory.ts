import { Buffer } from "node:buffer";

/**
 * Memory that these bytes share with nothing else: none for small ones, which come out of Node's pool. Whoever has given them on hands it
 * over or frees it; left alone it waits for a collection, and memory outside of the heap causes one only when there are 64 MB of it.
 */
export function ownMemory({ buffer, byteLength }: ArrayBufferView): ArrayBuffer | null {
  if (!(buffer instanceof ArrayBuffer)) return null;
  // What Node reads from a socket is as large as its pool, which gives away less than half of itself at once.
  const isPooled = buffer.byteLength === Buffer.poolSize && byteLength < Buffer.poolSize / 2;
  return isPooled ? null : buffer;
}

/** Gives the memory of bytes back at once. They are empty afterwards. */
export function freeMemory(bytes: ArrayBufferView): void {
  ownMemory(bytes)?.transfer(0);
}
