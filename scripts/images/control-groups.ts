import { existsSync } from "node:fs";
import { readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";

/** The engine of the trial makes its control groups below this one. */
export const controlGroup = "report-images";
const root = "/sys/fs/cgroup";

/** Removes the control groups of the trial from all hierarchies. The processes in them must have ended. */
export async function removeControlGroups(): Promise<void> {
  for (const hierarchy of [".", ...(await readdir(root))]) {
    const group = join(root, hierarchy, controlGroup);
    if (existsSync(group)) await removeGroup(group);
  }
}

/** The files of a control group cannot be removed. The kernel removes them with it. */
async function removeGroup(group: string): Promise<void> {
  for (const entry of await readdir(group, { withFileTypes: true }))
    if (entry.isDirectory()) await removeGroup(join(group, entry.name));
  await rmdir(group);
}
