import { failpointEdits, hitFailpoint } from "../failpoints.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Loaded before the worker's main module by --import.
Object.assign(globalThis, { hitFailpoint });
rewriteSources("A failpoint", failpointEdits);
