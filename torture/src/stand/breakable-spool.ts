import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fillDisk, mountTmpfs, unmount } from "./tmpfs.ts";

/** Its disk becomes read-only and empty, its folders are removed, or its disk is full. */
export const spoolBreaks = ["read-only", "removed", "full"] as const;
export type SpoolBreak = (typeof spoolBreaks)[number];

export type BreakableSpool = NonNullable<Awaited<ReturnType<typeof openBreakableSpool>>>;

const sizeBytes = 64 * 1024 * 1024;

/** On a tmpfs; null without the right to mount one (root). */
export async function openBreakableSpool(directory: string) {
  await mkdir(directory, { recursive: true });
  if (!mountTmpfs(directory, `size=${sizeBytes}`)) return null;
  // An interrupted run leaves nothing mounted.
  const unmountAll = (): void => {
    while (unmount(directory));
  };
  process.once("exit", unmountAll);
  return {
    directory,
    /** Returns what repairs it; after `removed` the worker itself makes its folder again. */
    async break(by: SpoolBreak): Promise<() => Promise<void>> {
      if (by === "full") return fillDisk(directory);
      if (by === "removed") {
        for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true });
        return async () => undefined;
      }
      // Mounted over it: an open file would keep the disk itself from becoming read-only.
      if (!mountTmpfs(directory, "ro")) throw new Error(`A read-only tmpfs cannot be mounted over ${directory}.`);
      return async () => void unmount(directory);
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", unmountAll);
      unmountAll();
    },
  };
}
