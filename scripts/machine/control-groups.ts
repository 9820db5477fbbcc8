import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isFulfilled, waitFor } from "@reports/testing";

const root = "/sys/fs/cgroup";

/** Creates a control group for pods in each hierarchy. */
export async function createControlGroup(name: string): Promise<void> {
  const isVersion2 = existsSync(join(root, "cgroup.controllers"));
  if (isVersion2) await allowControllers();
  for (const hierarchy of isVersion2 ? [root] : await listHierarchies()) await mkdir(join(hierarchy, name));
  // In version 1 of control groups, a new group has no processors and no memory nodes until its files name them.
  if (!isVersion2)
    for (const file of ["cpuset.cpus", "cpuset.mems"])
      await writeFile(join(root, "cpuset", name, file), await readFile(join(root, "cpuset", file)));
}

/** Removes a control group from all hierarchies, with the groups in it. Waits until the processes in them have ended. */
export async function removeControlGroup(name: string): Promise<void> {
  for (const hierarchy of [".", ...(await readdir(root))]) {
    const folder = join(root, hierarchy, name);
    if (existsSync(folder)) await waitFor(async () => removeGroups(folder), { what: `${folder} to be empty` });
  }
}

/** Lets groups have the controllers without which kubelet refuses a group of version 2. */
async function allowControllers(): Promise<void> {
  const present = (await readFile(join(root, "cgroup.controllers"), "utf8")).trim().split(" ");
  const needed = present.filter((name) => ["cpu", "cpuset", "memory", "hugetlb", "pids"].includes(name));
  await writeFile(join(root, "cgroup.subtree_control"), needed.map((name) => `+${name}`).join(" "));
}

async function listHierarchies(): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name: entry }) => join(root, entry));
  return folders.filter((folder) => existsSync(join(folder, "cgroup.procs")));
}

/** Returns false while a group still has a process, because the kernel then refuses to remove the group. It removes the files of a group with it. */
async function removeGroups(folder: string): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory() && !(await removeGroups(join(folder, entry.name)))) return false;
  return isFulfilled(rmdir(folder));
}
