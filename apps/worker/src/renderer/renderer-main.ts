import { runRendererProcess } from "./run-renderer-process.ts";

runRendererProcess();
