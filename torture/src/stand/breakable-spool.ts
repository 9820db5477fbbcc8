import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Its disk becomes read-only and empty, its folders are removed, or its disk is full. */
export const spoolBreaks = ["read-only", "removed", "full"] as const;
export type SpoolBreak = (typeof spoolBreaks)[number];

export interface BreakableSpool extends AsyncDisposable {
  readonly directory: string;
  /** Returns what repairs it; after `removed` the worker itself makes its folder again. */
  break(by: SpoolBreak): Promise<() => Promise<void>>;
}

const sizeBytes = 64 * 1024 * 1024;

/** On a tmpfs; null without the right to mount one (root). */
export async function openBreakableSpool(directory: string): Promise<BreakableSpool | null> {
  await mkdir(directory, { recursive: true });
  if (!mount(directory, `size=${sizeBytes}`)) return null;
  // An interrupted run leaves nothing mounted.
  const unmountAll = (): void => {
    while (unmount(directory));
  };
  process.once("exit", unmountAll);
  return {
    directory,
    async break(by) {
      if (by === "full") return fill(join(directory, "filler"));
      if (by === "removed") {
        for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true });
        return async () => undefined;
      }
      // Mounted over it: an open file would keep the disk itself from becoming read-only.
      if (!mount(directory, "ro")) throw new Error(`A read-only tmpfs cannot be mounted over ${directory}.`);
      return async () => void unmount(directory);
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", unmountAll);
      unmountAll();
    },
  };
}

function mount(directory: string, options: string): boolean {
  return succeeds("mount", ["-t", "tmpfs", "-o", options, "tmpfs", directory]);
}

function unmount(directory: string): boolean {
  return succeeds("umount", ["--lazy", directory]);
}

function succeeds(command: string, parameters: readonly string[]): boolean {
  try {
    execFileSync(command, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function fill(file: string): Promise<() => Promise<void>> {
  const { bavail, bsize } = await statfs(file.slice(0, file.lastIndexOf("/")));
  await writeFile(file, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
    // The worker took some space meanwhile: the disk is full all the same.
    if (error.code !== "ENOSPC") throw error;
  });
  return async () => rm(file, { force: true });
}
