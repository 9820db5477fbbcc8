import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/**
 * The first Node below a process, such as the one that buildah runs in a container; null where there is none. buildah does not hand signals on
 * to what it runs with chroot isolation, and it gives that no process ids of its own: an orchestrator's signal is sent to the process itself.
 */
export function nodeBelow(ancestor: number): number | null {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const parent = parentOf(name);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  for (
    let level = children.get(ancestor) ?? [];
    level.length > 0;
    level = level.flatMap((id) => children.get(id) ?? [])
  ) {
    const found = level.find((id) => programOf(id) === "node");
    if (found !== undefined) return found;
  }
  return null;
}

function parentOf(id: string): number | null {
  try {
    // After the program's name, which may hold anything: state, parent.
    return Number(readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)!.split(" ")[1]);
  } catch {
    return null;
  }
}

function programOf(id: number): string | null {
  try {
    return basename(readlinkSync(`/proc/${id}/exe`));
  } catch {
    return null;
  }
}
