import { runMain } from "@reports/runtime";
import { runApi } from "../run-api.ts";

// Runs the API process with clocks from its first argument, which is JSON. The production entry point (main.ts) has no such argument.
const clocks = JSON.parse(process.argv[2]!) as object;
await runMain(() => runApi(process.env, (production) => ({ ...production, ...clocks })));
