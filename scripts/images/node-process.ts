import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { listChildProcesses } from "@reports/testing";

/** Returns the ID of the first Node process below `ancestor`, or null. Signals must go to that process, because buildah does not forward them. */
export function findNodeProcess(ancestor: number): number | null {
  for (let level = listChildProcesses(ancestor); level.length > 0; level = level.flatMap(listChildProcesses)) {
    const found = level.find((id) => programOf(id) === "node");
    if (found !== undefined) return found;
  }
  return null;
}

function programOf(id: number): string | null {
  try {
    return basename(readlinkSync(`/proc/${id}/exe`));
  } catch {
    return null;
  }
}
