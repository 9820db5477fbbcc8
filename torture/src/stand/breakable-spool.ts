import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fillDisk, mountTmpfs, unmountTmpfs } from "./tmpfs.ts";

/** Ways to break a spool: make the disk read-only and empty, remove the folders, or fill the disk. */
export const spoolBreakKinds = ["read-only", "removed", "full"] as const;
export type SpoolBreakKind = (typeof spoolBreakKinds)[number];

export type BreakableSpool = NonNullable<Awaited<ReturnType<typeof openBreakableSpool>>>;

const sizeBytes = 64 * 1024 * 1024;

/** Mounts a tmpfs as a spool that can be broken. Returns null if this process may not mount (only root may). */
export async function openBreakableSpool(directory: string) {
  await mkdir(directory, { recursive: true });
  if (!mountTmpfs(directory, `size=${sizeBytes}`)) return null;
  // Also runs when an interrupted run exits, because the mounts would otherwise remain on the machine.
  const unmountAll = (): void => {
    while (unmountTmpfs(directory));
  };
  process.once("exit", unmountAll);
  return {
    directory,
    /**
     * Breaks the spool. Resolves with a function that repairs it. After `removed`, that function does nothing, because the worker creates its folder
     * again.
     */
    async break(by: SpoolBreakKind): Promise<() => Promise<void>> {
      if (by === "full") return fillDisk(directory);
      if (by === "removed") {
        for (const name of await readdir(directory)) await rm(join(directory, name), { recursive: true, force: true });
        return async () => undefined;
      }
      // Mounts a read-only tmpfs over the spool, because a file system with open files cannot be remounted read-only.
      if (!mountTmpfs(directory, "ro")) throw new Error(`A read-only tmpfs cannot be mounted over ${directory}.`);
      return async () => void unmountTmpfs(directory);
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", unmountAll);
      unmountAll();
    },
  };
}
