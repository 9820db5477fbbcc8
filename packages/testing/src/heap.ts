import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/** Like `node --expose-gc`, but only when needed, because it changes how a process is compiled. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}

/** Reachable bytes of this process's heap and of external buffers. */
export async function reachableBytes(): Promise<number> {
  // What finalizers and closed sockets release is collected the next time.
  for (let time = 0; time < 3; time++) {
    collectGarbage();
    await yieldToEventLoop();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
