import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/** What `node --expose-gc` gives as a global; switched on where it is needed, because it changes how a process is compiled. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}

/** Bytes of this process's heap, and of buffers beside it, that somebody still holds. */
export async function bytesHeld(): Promise<number> {
  // What finalizers and closed sockets let go of is collected the next time.
  for (let time = 0; time < 3; time++) {
    collectGarbage();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
