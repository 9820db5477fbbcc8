import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { protectionMutations } from "../protection-mutations.ts";
import { rewriteSourcesOnLoad } from "./rewrite-sources-on-load.ts";

// Node loads this module with --import before the main module of the API, of workers and of the reconciler's process. Arguments and environments
// differ between these, so the URL of the module has the name of the mutation, and the folder for the names of mutated files.
const parameters = new URL(import.meta.url).searchParams;
const mutationName = parameters.get("name") ?? "";
const loadedFolder = parameters.get("loaded") ?? "";
const chosenMutation = protectionMutations[mutationName];
if (chosenMutation === undefined) throw new Error(`There is no mutation ${JSON.stringify(mutationName)}.`);
rewriteSourcesOnLoad(`The mutation ${mutationName}`, chosenMutation.edits, (file) =>
  writeFileSync(join(loadedFolder, encodeURIComponent(file)), ""),
);
