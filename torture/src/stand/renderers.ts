import { readFileSync, readdirSync } from "node:fs";

/** The living renderers of a worker. Linux only. */
export function renderersOf(worker: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === worker)
    .map(Number)
    .filter(isRenderer);
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

/** Those of the processes that still live although they are renderers whose worker is gone. */
export function findOrphanedRenderers(pids: readonly number[]): number[] {
  return pids.filter((pid) => parentOf(String(pid)) !== null && isRenderer(pid) && !isWorker(parentOf(String(pid))!));
}

function isRenderer(pid: number): boolean {
  return commandOf(pid).includes("renderer-main.ts");
}

function isWorker(pid: number): boolean {
  return commandOf(pid).includes("worker-main.ts");
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
