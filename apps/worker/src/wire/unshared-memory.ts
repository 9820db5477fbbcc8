import { Buffer } from "node:buffer";

/**
 * Returns memory that only these bytes use; null for small ones from Node's pool. The receiver transfers or frees it: left alone, it
 * waits for a collection, which memory outside the heap triggers only at 64 MB.
 */
export function unsharedMemory({ buffer, byteLength }: ArrayBufferView): ArrayBuffer | null {
  if (!(buffer instanceof ArrayBuffer)) return null;
  // The buffer of a socket read is as large as Node's pool, but slices of the pool are less than half of it.
  const isPooled = buffer.byteLength === Buffer.poolSize && byteLength < Buffer.poolSize / 2;
  return isPooled ? null : buffer;
}

/** Frees the memory of bytes immediately. They are empty afterwards. */
export function freeMemory(bytes: ArrayBufferView): void {
  unsharedMemory(bytes)?.transfer(0);
}
