import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/** Runs the garbage collector. Enables it at run time, because the flag `--expose-gc` would change how Node.js compiles code. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}

export async function measureReachableBytes(): Promise<number> {
  // One collection is not enough: it starts finalizers and closes sockets, whose memory only a later collection frees.
  for (let time = 0; time < 3; time++) {
    collectGarbage();
    await yieldToEventLoop();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
