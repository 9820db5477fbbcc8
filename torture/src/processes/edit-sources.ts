import { laneEdits } from "../stand/lanes.ts";
import { rewriteSources } from "./rewrite-sources.ts";

// Loaded before the main module of API and worker by --import.
rewriteSources("A stand's edit", laneEdits);
