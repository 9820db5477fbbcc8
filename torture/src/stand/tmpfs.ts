import { execFileSync } from "node:child_process";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Mounts a tmpfs. Returns false if this process may not mount (only root may). */
export function mountTmpfs(directory: string, options: string): boolean {
  return runSucceeds("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
}

export function unmountTmpfs(directory: string): boolean {
  return runSucceeds("umount", ["--lazy", directory]);
}

export async function fillDisk(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, "filler");
  const { bavail, bsize } = await statfs(directory);
  await writeFile(file, Buffer.alloc(Math.max(0, bavail * bsize))).catch((error: NodeJS.ErrnoException) => {
    // The disk may be full before the file is complete, because a worker has written to it meanwhile. Full is what the fault needs.
    if (error.code !== "ENOSPC") throw error;
  });
  return async () => rm(file, { force: true });
}

function runSucceeds(command: string, parameters: readonly string[]): boolean {
  try {
    execFileSync(command, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
