import { createLifecycle, createLogger, type EnvironmentText } from "@reports/runtime";
import { composeApi, type ApiParts } from "./compose.ts";
import { readApiConfig } from "./config.ts";

export type { ApiParts } from "./compose.ts";

/**
 * The API's process: reads its configuration out of the environment, starts its parts in order and serves until the process is told to
 * stop, which ends it. Rejects with ConfigurationError, and with whatever kept a part from starting; `runMain` says that and exits.
 */
export async function runApi(environment: EnvironmentText, parts: ApiParts = {}): Promise<void> {
  const config = readApiConfig(environment);
  const logger = createLogger({ name: "api", level: config.logLevel });
  const graceMs = (config.shutdownDelaySeconds + config.shutdownGraceSeconds + 10) * 1000;
  const lifecycle = createLifecycle({ logger, graceMs });
  composeApi(config, logger, lifecycle, parts);
  await lifecycle.run();
}
