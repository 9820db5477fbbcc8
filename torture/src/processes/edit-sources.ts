import { laneEdits } from "../stand/lanes.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Node loads this module before the main module of the API and of workers (--import).
rewriteSources("A stand's edit", laneEdits);
