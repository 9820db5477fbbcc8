import { createLifecycle, createLogger, runMain } from "@reports/runtime";
import { composeWorker } from "./compose.ts";
import { readWorkerConfig } from "./config.ts";

await runMain(async () => {
  const config = readWorkerConfig(process.env);
  const logger = createLogger({ name: "worker", level: config.logLevel });
  const lifecycle = createLifecycle({ logger, graceMs: config.shutdownGraceSeconds * 1000 + 20_000 });
  composeWorker(config, logger, lifecycle);
  await lifecycle.run();
});
