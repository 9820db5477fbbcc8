import { failpointEdits, hitFailpoint } from "../failpoints.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Node loads this module before the worker's main module (--import).
Object.assign(globalThis, { hitFailpoint });
rewriteSources("A failpoint", failpointEdits);
