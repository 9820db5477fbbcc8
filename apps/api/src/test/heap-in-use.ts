import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Makes what tells how many bytes of this process's heap, and of buffers beside it, somebody still holds. */
export function createHeapMeasure(): () => Promise<number> {
  // What `node --expose-gc` gives as a global; switched on where it is needed, because it changes how a process is compiled.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  return async () => {
    // What finalizers and closed sockets let go of is collected the next time.
    for (let time = 0; time < 3; time++) {
      collect();
      await turn();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
}
