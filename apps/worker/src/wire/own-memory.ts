import { Buffer } from "node:buffer";

/**
 * Memory that these bytes share with nothing else: none for small ones, which come out of Node's pool. Whoever has given them on hands it
 * over or frees it; left alone it waits for a collection, and memory outside of the heap causes one only when there are 64 MB of it.
 */
export function ownMemory({ buffer, byteLength }: Uint8Array): ArrayBuffer | null {
  return buffer instanceof ArrayBuffer && byteLength > Buffer.poolSize ? buffer : null;
}

/** Gives the memory of bytes back at once. They are empty afterwards. */
export function freeMemory(bytes: Uint8Array): void {
  ownMemory(bytes)?.transfer(0);
}
