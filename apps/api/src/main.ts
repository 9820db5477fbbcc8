import { createLifecycle, createLogger, runMain } from "@reports/runtime";
import { composeApi } from "./compose.ts";
import { readApiConfig } from "./config.ts";

await runMain(async () => {
  const config = readApiConfig(process.env);
  const logger = createLogger({ name: "api", level: config.logLevel });
  const graceMs = (config.shutdownDelaySeconds + config.shutdownGraceSeconds + 10) * 1000;
  const lifecycle = createLifecycle({ logger, graceMs });
  composeApi(config, logger, lifecycle);
  await lifecycle.run();
});
