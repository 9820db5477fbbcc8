import { readFileSync } from "node:fs";

/** Returns the peak memory of this process in MB. `maxRSS` is not used, because on Linux it includes the parent's memory at the fork. */
export function readPeakMemoryMebibytes(): number {
  try {
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024);
  } catch {
    return Math.round(process.resourceUsage().maxRSS / 1024);
  }
}
