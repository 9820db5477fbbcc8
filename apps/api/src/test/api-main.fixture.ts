import { runMain } from "@reports/runtime";
import { runApi } from "../run-api.ts";

// Runs the API process with the clocks that its first argument contains as JSON. The deployed main module has no such argument.
const clocks = JSON.parse(process.argv[2]!) as object;
await runMain(() => runApi(process.env, (production) => ({ ...production, ...clocks })));
