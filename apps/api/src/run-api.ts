import { createLifecycle, createLogger, createTraces, type EnvironmentText } from "@reports/runtime";
import { typesEnvironment } from "@reports/type-loader";
import { loadTypes } from "@reports/type-loader/deployment";
import { checkAuthorityOverrides } from "./check-overrides.ts";
import { productionClocks, type ApiClocks } from "./clocks.ts";
import { readApiConfig } from "./config.ts";

/**
 * Runs the API process: reads the environment, loads report types, starts all parts in order, and serves until a stop signal. Rejects with
 * ConfigurationError or the error of a part that could not start. `runMain` prints it and exits.
 * @param clocks lets tests replace the production clocks. Deployments cannot.
 */
export async function runApi(
  environment: EnvironmentText,
  clocks: (production: ApiClocks) => ApiClocks = (production) => production,
): Promise<void> {
  const config = readApiConfig(environment);
  const seen = typesEnvironment(environment, config.reportTypesEnvironmentPrefix);
  const reportTypes = await loadTypes(config, seen);
  checkAuthorityOverrides(config.reportAuthorities, reportTypes);
  // compose.ts is imported late, because it loads most modules. A wrong configuration is reported without that cost.
  const { composeApi } = await import("./compose.ts");
  const logger = createLogger({ name: "api", level: config.logLevel });
  const graceMs = (config.shutdownDelaySeconds + config.shutdownGraceSeconds + 10) * 1000;
  const lifecycle = createLifecycle({ logger, graceMs });
  const traces = await createTraces({
    endpoint: config.traceEndpoint,
    share: config.traceShare,
    service: "reports-api",
    logger,
  });
  const parts = { reportTypes, typesEnvironment: seen, clocks: clocks(productionClocks), traces, logger };
  await composeApi(config, parts, lifecycle);
  await lifecycle.run();
}
