import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { waitFor } from "@reports/testing";

export const nodeAddress = "10.200.0.1";
/** Names in the guides of hosts that the trial replaces by the machine itself. */
export const hostNames = ["db.internal", "s3.internal"] as const;

const script = join(import.meta.dirname, "private-machine.sh");
const cgroups = "/sys/fs/cgroup";

const namespaces = ["--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"] as const;

/** Runs a Node.js program in namespaces of its own (private-machine.sh). Throws a CommandExitError unless it exits with 0. `signal` kills it. */
export async function runOnPrivateMachine(options: {
  readonly folder: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { folder, args, environment, signal } = options;
  const program = ["bash", script, folder, nodeAddress, hostNames.join(" "), process.execPath, ...args];
  // If this process ends in any way, unshare is killed, and its end kills all processes of the namespaces.
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "unshare", ...namespaces, ...program], {
    stdio: ["ignore", "inherit", "inherit"],
    env: environment,
    // The child gets its own process group. Ctrl-C in a terminal would otherwise reach it too, but only this process decides what ends.
    detached: true,
  });
  signal.addEventListener("abort", () => void child.kill("SIGKILL"));
  const [code] = (await once(child, "exit")) as [number | null];
  if (signal.aborted) throw new CommandExitError("Interrupted.");
  if (code !== 0)
    throw new CommandExitError(`The trial has failed on its private machine (exit code ${code}). The reason is above.`);
}

export interface ControlGroup extends AsyncDisposable {
  readonly name: string;
}

/** Creates a control group for the pods in each hierarchy. Disposing removes it with the groups that kubelet has left in it. */
export async function createControlGroup(name: string): Promise<ControlGroup> {
  const isVersion2 = existsSync(join(cgroups, "cgroup.controllers"));
  if (isVersion2) await allowControllers();
  const hierarchies = isVersion2 ? [cgroups] : await listHierarchies();
  const folders = hierarchies.map((hierarchy) => join(hierarchy, name));
  for (const folder of folders) await mkdir(folder);
  // In version 1 of control groups, a new group has no processors and no memory nodes until its files name them.
  if (!isVersion2)
    for (const file of ["cpuset.cpus", "cpuset.mems"])
      await writeFile(join(cgroups, "cpuset", name, file), await readFile(join(cgroups, "cpuset", file)));
  return {
    name,
    async [Symbol.asyncDispose]() {
      for (const folder of folders) await waitFor(async () => removeGroups(folder), { what: `${folder} to be empty` });
    },
  };
}

/** Lets groups have the controllers without which kubelet refuses a group of version 2. */
async function allowControllers(): Promise<void> {
  const present = (await readFile(join(cgroups, "cgroup.controllers"), "utf8")).trim().split(" ");
  const needed = present.filter((name) => ["cpu", "cpuset", "memory", "hugetlb", "pids"].includes(name));
  await writeFile(join(cgroups, "cgroup.subtree_control"), needed.map((name) => `+${name}`).join(" "));
}

async function listHierarchies(): Promise<readonly string[]> {
  const entries = await readdir(cgroups, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name: entry }) => join(cgroups, entry));
  return folders.filter((folder) => existsSync(join(folder, "cgroup.procs")));
}

/**
 * Removes a control group with its subgroups. Returns false while a group still has a process, because the kernel then refuses to remove the group.
 */
async function removeGroups(folder: string): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory() && !(await removeGroups(join(folder, entry.name)))) return false;
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}
