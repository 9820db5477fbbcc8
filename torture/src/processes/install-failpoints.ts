import { failpointEdits, hitFailpoint } from "../failpoints.ts";
import { rewriteSourcesOnLoad } from "./rewrite-sources-on-load.ts";

// Node loads this module with --import before the main module, because it edits modules while they are loaded.
Object.assign(globalThis, { hitFailpoint });
rewriteSourcesOnLoad("A failpoint", failpointEdits);
