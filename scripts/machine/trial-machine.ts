import { existsSync } from "node:fs";
import { chmod, mkdtempDisposable, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { findProgramPath, isAvailableOrThrowInCi, listGoProgramFolders } from "@reports/testing";

/**
 * Reports whether this machine has the programs of a trial. Otherwise prints `needs`, or throws in CI. `programs` are paths, and names of programs on
 * PATH or in Go's bin folders, with blanks between them.
 */
export function canRunTrial(needs: string, programs: string, { asRoot = true } = {}): boolean {
  const has = (name: string): boolean =>
    name.startsWith("/") ? existsSync(name) : findProgramPath(name, listGoProgramFolders()) !== null;
  return isAvailableOrThrowInCi(needs, (!asRoot || process.getuid?.() === 0) && programs.split(" ").every(has));
}

/** Creates a temporary folder, which disposing removes. Postgres runs as another user and can read its certificate there. */
export async function createTrialFolder(prefix: string) {
  const folder = await mkdtempDisposable(join(await realpath(tmpdir()), prefix));
  await chmod(folder.path, 0o755);
  return folder;
}

/** Returns a PATH with Go's bin folders at its end, because .ci/run installs mc and helm there. */
export function joinPathWithGoPrograms(...folders: readonly (string | undefined)[]): string {
  return [...folders, ...listGoProgramFolders()].filter(Boolean).join(delimiter);
}
