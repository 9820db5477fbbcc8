import { readFileSync } from "node:fs";
import { listChildProcesses } from "@reports/testing";
import { readParentPid } from "./process-tree.ts";

export function listRendererPids(worker: number): number[] {
  return listChildProcesses(worker).filter(isRenderer);
}

export function findOrphanedRendererPids(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    const parent = readParentPid(pid);
    return parent !== null && isRenderer(pid) && !isWorker(parent);
  });
}

function isRenderer(pid: number): boolean {
  // Older versions call the main module of a renderer `renderer-main.ts`.
  return /renderer[/-]main\.ts/.test(commandOf(pid));
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
