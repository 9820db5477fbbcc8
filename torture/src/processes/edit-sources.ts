import { bulkLaneEdits } from "../stand/lanes.ts";
import { rewriteSourcesOnLoad } from "./rewrite-sources-on-load.ts";

// Node loads this module with --import before the main module, because it edits modules while they are loaded.
rewriteSourcesOnLoad("A stand's edit", bulkLaneEdits);
