import { Buffer } from "node:buffer";

/** Returns the memory of these bytes, which the caller may transfer or free; null if it also holds other buffers of Node's pool. */
export function findUnsharedMemory({ buffer, byteLength }: ArrayBufferView): ArrayBuffer | null {
  if (!(buffer instanceof ArrayBuffer)) return null;
  // A chunk from a socket can have as much memory as Node's pool. Buffers in the pool are smaller than half of it.
  const isPooled = buffer.byteLength === Buffer.poolSize && byteLength < Buffer.poolSize / 2;
  return isPooled ? null : buffer;
}

/** Frees the memory of bytes immediately. The bytes are empty afterwards. */
export function freeMemory(bytes: ArrayBufferView): void {
  findUnsharedMemory(bytes)?.transfer(0);
}
