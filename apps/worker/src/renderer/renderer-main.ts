import { runRenderer } from "./run-renderer.ts";

runRenderer();
