import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAvailableOrThrowInCi } from "../is-available-or-throw-in-ci.ts";

/** Mounts a file system of the given size in a temporary folder. If this process may not mount, returns null, or throws in CI. */
export function mountSmallDisk(bytes: number): { readonly path: string; unmount(): void } | null {
  const path = mkdtempSync(join(tmpdir(), "small-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path], { stdio: "ignore" });
  } catch {
    rmSync(path, { recursive: true });
    isAvailableOrThrowInCi("right to mount a disk (run the tests as root)", false);
    return null;
  }
  return {
    path,
    unmount() {
      execFileSync("umount", [path]);
      rmSync(path, { recursive: true });
    },
  };
}
