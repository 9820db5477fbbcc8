import { composeApi } from "@reports/api/src/compose.ts";
import { readApiConfig } from "@reports/api/src/config.ts";
import { createLifecycle, createLogger, runMain } from "@reports/runtime";
import { registrations } from "../report-types.ts";

// apps/api/src/main.ts, with the harness's report types.
await runMain(async () => {
  const config = readApiConfig(process.env);
  const logger = createLogger({ name: "api", level: config.logLevel });
  const graceMs = (config.shutdownDelaySeconds + config.shutdownGraceSeconds + 10) * 1000;
  const lifecycle = createLifecycle({ logger, graceMs });
  composeApi(config, logger, lifecycle, { reportTypes: registrations });
  await lifecycle.run();
});
