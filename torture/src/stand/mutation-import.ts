import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createInvariantResult, type InvariantResult } from "../check/invariant-result.ts";
import { protectionMutations } from "../protection-mutations.ts";

export const importArgument = "--import=";

const loadedFolderOf = (standFolder: string): string => join(standFolder, "mutated-sources");

/** Returns the argument of Node with which a process loads its sources with the edits of a mutation. */
export function createMutationArgument(processes: string, mutation: string, standFolder: string): string {
  const loaded = loadedFolderOf(standFolder);
  mkdirSync(loaded, { recursive: true });
  const module = pathToFileURL(join(processes, "mutate.ts"));
  module.search = new URLSearchParams({ name: mutation, loaded }).toString();
  return importArgument + module.href;
}

/** Checks that some process of the stand has loaded each file of the mutation. Otherwise the run shows nothing about the protection. */
export function checkMutationIsLoaded(mutation: string, standFolder: string): InvariantResult {
  const files = [...new Set(protectionMutations[mutation]!.edits.map(({ file }) => file))];
  const missing = files.filter((file) => !existsSync(join(loadedFolderOf(standFolder), encodeURIComponent(file))));
  return createInvariantResult(
    "U",
    "a process has loaded each edited source of the mutation",
    files.join(", "),
    missing.map((file) => [null, `no process has loaded ${file}`]),
  );
}
