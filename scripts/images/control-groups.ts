import { existsSync } from "node:fs";
import { readdir, rmdir } from "node:fs/promises";
import { join } from "node:path";

/** Name of the control group below which the trial's Docker engine makes its control groups. */
export const controlGroup = "report-images";
const root = "/sys/fs/cgroup";

/** Removes the control groups of the trial from all hierarchies. The processes in them must have ended. */
export async function removeControlGroups(): Promise<void> {
  for (const hierarchy of [".", ...(await readdir(root))]) {
    const group = join(root, hierarchy, controlGroup);
    if (existsSync(group)) await removeGroup(group);
  }
}

/** Removes a control group and the groups below it. Their files cannot be removed separately: the kernel removes them with the folder. */
async function removeGroup(group: string): Promise<void> {
  for (const entry of await readdir(group, { withFileTypes: true }))
    if (entry.isDirectory()) await removeGroup(join(group, entry.name));
  await rmdir(group);
}
