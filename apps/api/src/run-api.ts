import { authorityRule, isAuthority, type RegisteredReportType } from "@reports/core/report";
import { ConfigurationError, createLifecycle, createLogger, createTracer, type RawEnvironment } from "@reports/runtime";
import { selectReportTypeEnvironment } from "@reports/type-loader";
import { loadConfiguredReportTypes } from "@reports/type-loader/deployment";
import { productionApiTimings, type ApiTimings } from "./clocks.ts";
import { readApiConfig } from "./config.ts";

/**
 * Runs the API process until a stop signal. Rejects with ConfigurationError, or with the error of a part that could not start.
 * @param clocks Replaces the production clocks in tests. No deployment can set it.
 */
export async function runApi(
  environment: RawEnvironment,
  clocks: (production: ApiTimings) => ApiTimings = (production) => production,
): Promise<void> {
  const config = readApiConfig(environment);
  const seen = selectReportTypeEnvironment(environment, config.reportTypesEnvironmentPrefix);
  const reportTypes = await loadConfiguredReportTypes(config, seen);
  assertValidAuthorityOverrides(config.reportAuthorities, reportTypes);
  // compose.ts imports most modules, which takes time. So it is imported only after the configuration is found valid.
  const { composeApi } = await import("./compose.ts");
  const logger = createLogger({ name: "api", level: config.logLevel });
  const graceMs = (config.shutdownDelaySeconds + config.shutdownGraceSeconds + 10) * 1000;
  const lifecycle = createLifecycle({ logger, graceMs });
  const traces = await createTracer({
    endpoint: config.traceEndpoint,
    share: config.traceShare,
    service: "reports-api",
    logger,
  });
  const parts = { reportTypes, typesEnvironment: seen, clocks: clocks(productionApiTimings), traces, logger };
  await composeApi(config, parts, lifecycle);
  await lifecycle.run();
}

function assertValidAuthorityOverrides(
  overrides: Readonly<Record<string, string>> = {},
  types: readonly RegisteredReportType[],
): void {
  const served = types.map(({ definition }) => definition.type);
  const problems = Object.entries(overrides).flatMap(([type, authority]) => [
    ...(served.includes(type) ? [] : [`${type} is not a report type of this deployment: ${served.join(", ")} are`]),
    ...(isAuthority(authority) ? [] : [`the authority of ${type} must be ${authorityRule}`]),
  ]);
  if (problems.length === 0) return;
  throw new ConfigurationError(problems.map((message) => ({ variable: "AUTH_REPORT_AUTHORITIES", message })));
}
