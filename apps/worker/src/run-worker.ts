import { createLifecycle, createLogger, createTracer, type RawEnvironment } from "@reports/runtime";
import { selectReportTypeEnvironment } from "@reports/type-loader";
import { loadConfiguredReportTypes } from "@reports/type-loader/deployment";
import { loadBrand } from "./brand/load-brand.ts";
import { productionTimings, type WorkerTimings } from "./clocks.ts";
import { readWorkerConfig, type WorkerConfig } from "./config.ts";
import type { WorkerParts } from "./worker-parts.ts";

/** Parts that a test can replace. Production passes only `onLoaded`. */
export interface RunWorkerOverrides extends Pick<WorkerParts, "wrapRunDeps" | "reconcilerArguments"> {
  readonly clocks?: (production: WorkerTimings) => WorkerTimings;
  readonly configure?: (config: WorkerConfig) => WorkerConfig;
  readonly rendererVariables?: readonly string[];
  readonly onLoaded?: () => void;
}

/** Starts a worker and runs reports until a stop signal. Rejects with ConfigurationError, or with the error of a part that could not start. */
export async function runWorker(environment: RawEnvironment, parts: RunWorkerOverrides = {}): Promise<void> {
  const {
    configure = (config) => config,
    rendererVariables = [],
    clocks = (production) => production,
    onLoaded,
    ...composed
  } = parts;
  const config = configure(readWorkerConfig(environment));
  const rendererEnvironment = selectReportTypeEnvironment(
    environment,
    config.reportTypesEnvironmentPrefix,
    rendererVariables,
  );
  const reportTypes = await loadConfiguredReportTypes(config, rendererEnvironment);
  const brand = await loadBrand(config);
  // Most modules are loaded only now, so that an invalid setting is reported without their loading time.
  const { composeWorker } = await import("./compose.ts");
  onLoaded?.();
  const logger = createLogger({ name: "worker", level: config.logLevel });
  const lifecycle = createLifecycle({ logger, graceMs: config.shutdownGraceSeconds * 1000 + 20_000 });
  const traces = await createTracer({
    endpoint: config.traceEndpoint,
    share: config.traceShare,
    service: "reports-worker",
    logger,
  });
  const prepared = { reportTypes, rendererEnvironment, brand, clocks: clocks(productionTimings), traces, logger };
  await composeWorker(config, { ...composed, ...prepared }, lifecycle);
  await lifecycle.run();
}
