import { readFileSync } from "node:fs";

export function readParentPid(pid: number): number | null {
  try {
    // The name of the program in parentheses may contain any character. The ID of the parent is the second field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

export function sendSignalToAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended meanwhile.
    }
  }
}
