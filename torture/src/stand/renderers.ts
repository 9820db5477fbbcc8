import { readFileSync } from "node:fs";
import { listChildProcesses } from "@reports/testing";

export function listRendererPids(worker: number): number[] {
  return listChildProcesses(worker).filter(isRenderer);
}

export function findOrphanedRendererPids(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    const parent = readParentPid(pid);
    return parent !== null && isRenderer(pid) && !commandOf(parent).includes("worker-main.ts");
  });
}

function isRenderer(pid: number): boolean {
  // Older versions call the main module of a renderer `renderer-main.ts`.
  return /renderer[/-]main\.ts/.test(commandOf(pid));
}

function readParentPid(pid: number): number | null {
  try {
    // The name of the program in parentheses may contain any character. The ID of the parent is the second field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
