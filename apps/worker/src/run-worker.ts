import { createLifecycle, createLogger, type EnvironmentText } from "@reports/runtime";
import { composeWorker, type WorkerParts } from "./compose.ts";
import { readWorkerConfig, type WorkerConfig } from "./config.ts";

/** What a deployment or a test puts in the place of the worker's own; production replaces nothing. */
export interface RunWorkerParts extends WorkerParts {
  /** Changes the configuration that was read: tests want shorter times than the environment can say. */
  readonly configure?: (config: WorkerConfig) => WorkerConfig;
}

/**
 * The worker's process: reads its configuration out of the environment, starts its parts in order and runs reports until the process is
 * told to stop, which ends it. Rejects with ConfigurationError, and with whatever kept a part from starting; `runMain` says that and exits.
 */
export async function runWorker(environment: EnvironmentText, parts: RunWorkerParts = {}): Promise<void> {
  const { configure = (config) => config, ...composed } = parts;
  const config = configure(readWorkerConfig(environment));
  const logger = createLogger({ name: "worker", level: config.logLevel });
  const lifecycle = createLifecycle({ logger, graceMs: config.shutdownGraceSeconds * 1000 + 20_000 });
  composeWorker(config, logger, lifecycle, composed);
  await lifecycle.run();
}
