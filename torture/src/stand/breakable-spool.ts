import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fillDisk, mountTmpfs, unmount } from "./tmpfs.ts";

/** Ways to break a spool: an empty read-only disk, removed folders, or a full disk. */
export const spoolBreaks = ["read-only", "removed", "full"] as const;
export type SpoolBreak = (typeof spoolBreaks)[number];

export type BreakableSpool = NonNullable<Awaited<ReturnType<typeof openBreakableSpool>>>;

const sizeBytes = 64 * 1024 * 1024;

/** Mounts a tmpfs that can be broken as a spool. Returns null without the right to mount (root). */
export async function openBreakableSpool(directory: string) {
  await mkdir(directory, { recursive: true });
  if (!mountTmpfs(directory, `size=${sizeBytes}`)) return null;
  // This function also runs at the exit of an interrupted run. Otherwise the mounts would remain.
  const unmountAll = (): void => {
    while (unmount(directory));
  };
  process.once("exit", unmountAll);
  return {
    directory,
    /** Breaks the spool. Returns a function that repairs it. After `removed`, the worker itself creates its folder again. */
    async break(by: SpoolBreak): Promise<() => Promise<void>> {
      if (by === "full") return fillDisk(directory);
      if (by === "removed") {
        for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true });
        return async () => undefined;
      }
      // A second tmpfs is mounted over the first, because a disk with open files cannot be remounted read-only.
      if (!mountTmpfs(directory, "ro")) throw new Error(`A read-only tmpfs cannot be mounted over ${directory}.`);
      return async () => void unmount(directory);
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", unmountAll);
      unmountAll();
    },
  };
}
