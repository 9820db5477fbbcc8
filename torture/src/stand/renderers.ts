import { readFileSync, readdirSync } from "node:fs";

/** The living children of a process: of a worker, its renderers. Linux only. */
export function childrenOf(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | null {
  try {
    // The second field is the program's name in parentheses and may hold anything; the parent is the second field behind it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}
