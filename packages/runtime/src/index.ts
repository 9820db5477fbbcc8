export { StillStartingError, type HealthCheck } from "./health-check.ts";
export { systemClock } from "./clock.ts";
export { registerDatabaseCallMetrics } from "./call-metrics.ts";
export { withDeadline } from "./deadline.ts";
export {
  deploymentVariableRules,
  deploymentVariables,
  fileStoreSettingsOf,
} from "./environment/deployment-variables.ts";
export { describeEnvironment, type VariableDescription } from "./environment/describe-environment.ts";
export { defineOverloadVariables } from "./environment/overload-variables.ts";
export { readEnvironment, type EnvironmentRule, type RawEnvironment } from "./environment/read-environment.ts";
export {
  reportTypeChoiceOf,
  reportTypeVariableRules,
  reportTypeVariables,
} from "./environment/report-type-variables.ts";
export {
  reportSourcesOf,
  sourceUrlVariableName,
  defineReportSourceVariables,
} from "./environment/define-report-source-variables.ts";
export {
  byteSizeText,
  booleanText,
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
  webhookVariableRules,
  webhookSendingVariables,
  webhookVariables,
} from "./environment/webhook-variables.ts";
export { schemeAndPortOf, isHostAllowed, emptyAllowlist, parseAllowlist } from "./egress/allowlist.ts";
/** @public The types of both apps' configurations refer to it. */
export type { Allowlist } from "./egress/allowlist.ts";
export { hostWithoutBrackets, findOutboundUrlProblem } from "./egress/url-problem.ts";
export { prepareDatabaseConnections, waitUntilDatabaseIsReady } from "./connections.ts";
export { findClientAddress, throttleKeyOf } from "./http/client-address.ts";
export { createConnectionObserver } from "./http/connection-metrics.ts";
export {
  createGuardedServer,
  reservedProbeConnections,
  type GuardedServerDeps,
  type ServerLimits,
} from "./http/create-guarded-server.ts";
export { closeServer, listen } from "./http/listen.ts";
export { isUuidV7, newId } from "./id.ts";
export { createLifecycle, type Lifecycle, type LifecycleStep } from "./lifecycle.ts";
export { createLogger, type LogLevel, type Logger } from "./log/logger.ts";
export { createMetrics, combineLabels, type Metrics, type MetricSample } from "./metrics.ts";
export { createOperationsServer } from "./operations-server.ts";
export { createReadinessCheck } from "./readiness.ts";
export { createCachedRead } from "./create-cached-read.ts";
export { createReportCounters, type ReportCounters } from "./report-counters.ts";
export { createSealer, keyFingerprintOf, type Sealer } from "./sealing.ts";
export { runMain } from "./run-main.ts";
export { ConfigurationError, configurationExitCode, StartupError } from "./startup-error.ts";
export { createTracer } from "./traces/create-tracer.ts";
export { traceVariables } from "./traces/trace-variables.ts";
export { noopTracer, type Span, type Tracer } from "./traces/tracer.ts";
