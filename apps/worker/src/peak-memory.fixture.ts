import { readFileSync } from "node:fs";

/** Returns the peak memory of this process in MB. On Linux, `maxRSS` would include the memory of the parent at the fork. */
export function readPeakMemoryMb(): number {
  try {
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024);
  } catch {
    return Math.round(process.resourceUsage().maxRSS / 1024);
  }
}
