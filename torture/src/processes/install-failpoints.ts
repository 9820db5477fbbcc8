import { failpointEdits, hitFailpoint } from "../failpoints.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Node loads this module with --import before the main module, because it edits modules while they are loaded.
Object.assign(globalThis, { hitFailpoint });
rewriteSources("A failpoint", failpointEdits);
