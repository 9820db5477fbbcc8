import { mutations } from "../mutations.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Loaded before the main module of API and worker by --import; the mutation's name stands behind the main module.
const name = process.argv[2] ?? "";
const chosen = mutations[name];
if (chosen === undefined) throw new Error(`There is no mutation ${JSON.stringify(name)}.`);
rewriteSources(`The mutation ${name}`, chosen.edits);
