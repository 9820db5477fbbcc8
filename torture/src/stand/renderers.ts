import { readFileSync } from "node:fs";
import { listChildProcesses } from "@reports/testing";
import { parentOf } from "./process-tree.ts";

/** Returns the process IDs of a worker's renderers (Linux only). */
export function renderersOf(worker: number): number[] {
  return listChildProcesses(worker).filter(isRenderer);
}

/** Returns the processes that are renderers and whose worker has ended. */
export function findOrphanedRenderers(pids: readonly number[]): number[] {
  return pids.filter((pid) => {
    const parent = parentOf(pid);
    return parent !== null && isRenderer(pid) && !isWorker(parent);
  });
}

function isRenderer(pid: number): boolean {
  // In older versions, the main module of renderers is `renderer-main.ts`.
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
