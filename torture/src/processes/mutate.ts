import { mutations } from "../mutations.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Node loads this module before the main module of the API and of workers (--import). The first argument is the name of the mutation.
const name = process.argv[2] ?? "";
const chosen = mutations[name];
if (chosen === undefined) throw new Error(`There is no mutation ${JSON.stringify(name)}.`);
rewriteSources(`The mutation ${name}`, chosen.edits);
