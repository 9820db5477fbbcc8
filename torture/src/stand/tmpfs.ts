import { execFileSync } from "node:child_process";
import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Mounts a tmpfs. Returns false without the right to (root). */
export function mountTmpfs(directory: string, options: string): boolean {
  return succeeds("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
}

/** Returns false if nothing is mounted there. */
export function unmount(directory: string): boolean {
  return succeeds("umount", ["--lazy", directory]);
}

/** Takes all free space; the returned function frees it. */
export async function fillDisk(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, "filler");
  const { bavail, bsize } = await statfs(directory);
  await writeFile(file, Buffer.alloc(Math.max(0, bavail * bsize))).catch((error: NodeJS.ErrnoException) => {
    // A worker took some space meanwhile: the disk is full all the same.
    if (error.code !== "ENOSPC") throw error;
  });
  return async () => rm(file, { force: true });
}

function succeeds(command: string, parameters: readonly string[]): boolean {
  try {
    execFileSync(command, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
