import { laneEdits } from "../stand/lanes.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Node loads this module with --import before the main module, because it edits modules while they are loaded.
rewriteSources("A stand's edit", laneEdits);
