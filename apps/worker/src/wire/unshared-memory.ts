import { Buffer } from "node:buffer";

/** Returns the memory of these bytes if no other data is in it; null for small buffers from Node's pool. The caller transfers or frees it. */
export function findUnsharedMemory({ buffer, byteLength }: ArrayBufferView): ArrayBuffer | null {
  if (!(buffer instanceof ArrayBuffer)) return null;
  // A buffer that a socket has read is as large as Node's pool, but buffers in the pool are less than half of it.
  const isPooled = buffer.byteLength === Buffer.poolSize && byteLength < Buffer.poolSize / 2;
  return isPooled ? null : buffer;
}

/** Frees the memory of bytes immediately. The bytes are empty afterwards. */
export function freeMemory(bytes: ArrayBufferView): void {
  findUnsharedMemory(bytes)?.transfer(0);
}
