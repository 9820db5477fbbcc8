import { fileURLToPath } from "node:url";
import { runMain } from "@reports/runtime";
import { runWorker } from "@reports/worker";
import { failpointsVariable } from "../failpoints.ts";
import { registrations } from "../report-types.ts";
import { shortTimes } from "../stand/short-times.ts";

/** What makes a process's clock wrong: libfaketime. */
const clockVariables = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"];

await runMain(() =>
  runWorker(process.env, {
    configure: (config) => ({ ...config, ...shortTimes(process.env) }),
    // Renderers know the harness's report types, too.
    rendererEntry: fileURLToPath(new URL("renderer-main.ts", import.meta.url)),
    rendererVariables: [failpointsVariable, ...clockVariables, "NODE_COMPILE_CACHE"],
    reportTypes: registrations.map(({ definition }) => definition),
  }),
);
