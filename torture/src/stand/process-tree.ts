import { readFileSync } from "node:fs";

/** Returns the parent of a process. Null if the process is gone. */
export function parentOf(pid: number): number | null {
  try {
    // The second field is the program's name in parentheses and may hold anything; the parent is the second field behind it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

/** Sends a signal to each of the processes that still lives. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}
