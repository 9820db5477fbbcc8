import { readFileSync } from "node:fs";

/** The most memory that this process has had, in MB. On Linux `maxRSS` would begin with what the process had that forked this one. */
export function peakMemoryMb(): number {
  try {
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024);
  } catch {
    return Math.round(process.resourceUsage().maxRSS / 1024);
  }
}
