import { runMain } from "@reports/runtime";
import { runApi } from "../run-api.ts";

// The API's process, with the clocks of its first argument, as JSON, in place of production's. No deployment can choose clocks.
const clocks = JSON.parse(process.argv[2]!) as object;
await runMain(() => runApi(process.env, (production) => ({ ...production, ...clocks })));
