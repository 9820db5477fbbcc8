import { readFileSync } from "node:fs";

/** Returns null if the process is gone. */
export function parentOf(pid: number): number | null {
  try {
    // The second field, the program's name in parentheses, may hold anything; the parent is the second field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}
