import { fileURLToPath } from "node:url";
import { createLifecycle, createLogger, runMain } from "@reports/runtime";
import { composeWorker } from "@reports/worker/src/compose.ts";
import { readWorkerConfig } from "@reports/worker/src/config.ts";
import { failpointsVariable } from "../failpoints.ts";
import { registrations } from "../report-types.ts";
import { shortTimes } from "../stand/short-times.ts";

/** What makes a process's clock wrong: libfaketime. */
const clockVariables = ["LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"];

// apps/worker/src/main.ts, with the harness's report types and a renderer that knows them.
await runMain(async () => {
  const config = { ...readWorkerConfig(process.env), ...shortTimes(process.env) };
  const logger = createLogger({ name: "worker", level: config.logLevel });
  const lifecycle = createLifecycle({ logger, graceMs: config.shutdownGraceSeconds * 1000 + 20_000 });
  composeWorker(config, logger, lifecycle, {
    rendererEntry: fileURLToPath(new URL("renderer-main.ts", import.meta.url)),
    rendererVariables: [failpointsVariable, ...clockVariables, "NODE_COMPILE_CACHE"],
    reportTypes: registrations.map(({ definition }) => definition),
  });
  await lifecycle.run();
});
