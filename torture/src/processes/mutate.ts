import { protectionMutations } from "../protection-mutations.ts";
import { rewriteSourcesOnLoad } from "./rewrite-sources-on-load.ts";

// Node loads this module with --import before the main module of the API and of workers. The first argument is the name of the mutation.
const mutationName = process.argv[2] ?? "";
const chosenMutation = protectionMutations[mutationName];
if (chosenMutation === undefined) throw new Error(`There is no mutation ${JSON.stringify(mutationName)}.`);
rewriteSourcesOnLoad(`The mutation ${mutationName}`, chosenMutation.edits);
