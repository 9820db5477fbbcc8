import { setTimeout as wait } from "node:timers/promises";

const minWaitMs = 20;

export function createReadThrottle(bytesPerSecond: number): (bytes: number, signal: AbortSignal) => Promise<void> {
  let freeAt = 0;
  return async (bytes, signal) => {
    const now = performance.now();
    freeAt = Math.max(now, freeAt) + (bytes / bytesPerSecond) * 1000;
    if (freeAt - now > minWaitMs) await wait(freeAt - now, undefined, { signal });
  };
}
