import { mutations } from "../mutations.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Node loads this module with --import before the main module of the API and of workers. The first argument is the name of the mutation.
const mutationName = process.argv[2] ?? "";
const chosenMutation = mutations[mutationName];
if (chosenMutation === undefined) throw new Error(`There is no mutation ${JSON.stringify(mutationName)}.`);
rewriteSources(`The mutation ${mutationName}`, chosenMutation.edits);
