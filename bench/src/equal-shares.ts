import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listChildProcesses } from "@reports/testing";

const cgroupRoot = "/sys/fs/cgroup";

/**
 * Gives each part of the service an equal share of the processors, as containers without other settings have: puts the processes, with their children,
 * into one control group of Linux per part. Processes that they start later are in the same group. Returns undefined if this process may not make
 * groups.
 */
export function giveEqualShares(parts: Readonly<Record<string, readonly number[]>>): Disposable | undefined {
  const isVersion2 = existsSync(join(cgroupRoot, "cgroup.controllers"));
  const root = isVersion2 ? cgroupRoot : join(cgroupRoot, "cpu");
  const folders: string[] = [];
  const dispose = (): void => folders.forEach((folder) => removeGroup(folder, root));
  try {
    if (isVersion2) writeFileSync(join(root, "cgroup.subtree_control"), "+cpu");
    for (const [part, pids] of Object.entries(parts)) {
      const folder = join(root, `reports-bench-${part}-${process.pid}`);
      mkdirSync(folder);
      folders.push(folder);
      pids.flatMap(listProcessTree).forEach((pid) => moveProcess(pid, folder));
    }
  } catch (error) {
    console.error(`  The processes are not in control groups: ${(error as Error).message}`);
    dispose();
    return undefined;
  }
  return { [Symbol.dispose]: dispose };
}

/** The kernel removes only an empty group, so its processes return to the root group first. They can start others meanwhile. */
function removeGroup(folder: string, root: string): void {
  const listed = () => readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
  for (let pids = listed(); pids.length > 0; pids = listed()) pids.forEach((pid) => moveProcess(pid, root));
  rmdirSync(folder);
}

function moveProcess(pid: number, folder: string): void {
  try {
    writeFileSync(join(folder, "cgroup.procs"), String(pid));
  } catch (error) {
    // The process has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function listProcessTree(pid: number): readonly number[] {
  return [pid, ...listChildProcesses(pid).flatMap(listProcessTree)];
}
