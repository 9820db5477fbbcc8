export { StillStartingError, type HealthCheck } from "./health-check.ts";
export { systemClock } from "./clock.ts";
export { registerCallMetrics } from "./call-metrics.ts";
export { withDeadline } from "./deadline.ts";
export { deploymentRules, deploymentVariables, fileStoreSettingsOf } from "./environment/deployment-variables.ts";
export { describeEnvironment, type VariableDescription } from "./environment/describe-environment.ts";
export { numbersByName } from "./environment/numbers-by-name.ts";
export { readEnvironment, type EnvironmentRule, type EnvironmentText } from "./environment/read-environment.ts";
export { reportTypeChoiceOf, reportTypeRules, reportTypeVariables } from "./environment/report-type-variables.ts";
export { reportSourcesOf, reportSourceVariable, reportSourceVariables } from "./environment/report-source-variables.ts";
export {
  byteSizeText,
  flagText,
  integerText,
  listText,
  oneLineText,
  oneOfText,
  portText,
  postgresUrlText,
  postgresUrlsText,
  urlText,
} from "./environment/text-schemas.ts";
export {
  defineEnvironment,
  type ConfigurationOf,
  type EnvironmentSpec,
  type EnvironmentVariable,
} from "./environment/variable.ts";
export { brandVariables, defaultBrandColour, defaultBrandName } from "./environment/brand-variables.ts";
export { scheduleVariables } from "./environment/schedule-variables.ts";
export {
  publicAddressVariables,
  webhookRules,
  webhookSendingVariables,
  webhookVariables,
} from "./environment/webhook-variables.ts";
export { schemeAndPortOf, isHostAllowed, emptyAllowlist, parseAllowlist } from "./egress/allowlist.ts";
/** @public The types of both apps' configurations refer to it. */
export type { Allowlist } from "./egress/allowlist.ts";
export { hostWithoutBrackets, findUrlProblem } from "./egress/url-problem.ts";
export { checkConnectionSettings, waitUntilDatabaseIsReady } from "./connections.ts";
export { findClientAddress, throttleKeyOf } from "./http/client-address.ts";
export { createConnectionObserver } from "./http/connection-metrics.ts";
export {
  createGuardedServer,
  reservedProbeConnections,
  type ServerDeps,
  type ServerLimits,
} from "./http/create-guarded-server.ts";
export { closeServer, listen } from "./http/listen.ts";
export { isId, newId } from "./id.ts";
export { createLifecycle, type Lifecycle, type LifecycleStep } from "./lifecycle.ts";
export { createLogger, type LogLevel, type Logger } from "./log/logger.ts";
export { createMetrics, combineLabels, type Metrics, type Sample } from "./metrics.ts";
export { createOperationsServer } from "./operations-server.ts";
export { createReadinessCheck } from "./readiness.ts";
export { cacheResult } from "./cache-result.ts";
export { createReportCounters, type ReportCounters } from "./report-counters.ts";
export { createSealer, fingerprintOf, type Sealer } from "./sealing.ts";
export { runMain } from "./run-main.ts";
export { ConfigurationError, configurationExitCode, StartupError } from "./startup-error.ts";
export { createTraces } from "./traces/create-traces.ts";
export { traceVariables } from "./traces/trace-variables.ts";
export { noTraces, type Span, type Traces } from "./traces/traces.ts";
