import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { childrenOf } from "@reports/testing";

/**
 * Returns the first Node below a process, such as the one that buildah runs in a container; null where there is none. buildah does not pass
 * signals on to what it runs with chroot isolation, and gives that no process IDs of its own: an orchestrator's signal is sent to the process.
 */
export function nodeBelow(ancestor: number): number | null {
  for (let level = childrenOf(ancestor); level.length > 0; level = level.flatMap(childrenOf)) {
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
