import { readFileSync } from "node:fs";

/** Returns the ID of the parent process, or null if the process has ended. */
export function parentOf(pid: number): number | null {
  try {
    // The program's name, in parentheses, may contain any character. The parent's ID is the second field after it.
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
      // The process has ended meanwhile.
    }
  }
}
