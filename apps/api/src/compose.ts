import { discoverTokenEndpoint } from "@reports/auth";
import type { RegisteredReportType, ReportSources } from "@reports/core/report";
import {
  createDatabaseClock,
  createReportChangeFeed,
  createStoreIdRepository,
  databaseConnectionFunctions,
  findRelationProblems,
  findSourcesSharingSessions,
  sharedSessionsProblem,
} from "@reports/db";
import {
  prepareDatabaseConnections,
  ConfigurationError,
  createMetrics,
  fileStoreSettingsOf,
  newId,
  sourceUrlVariableName,
  waitUntilDatabaseIsReady,
} from "@reports/runtime";
import type { Lifecycle, Logger, Tracer } from "@reports/runtime";
import { createFileStore, createStoreIdentity } from "@reports/storage";
import type { ApiTimings } from "./clocks.ts";
import { composePeriodicTasks } from "./compose-periodic-tasks.ts";
import { composeDatabases } from "./compose-databases.ts";
import { composeApiListener } from "./compose-api-listener.ts";
import { composeServerLifecycle } from "./compose-server-lifecycle.ts";
import { composePreviewReader } from "./compose-preview-deps.ts";
import { composeReadinessChecks } from "./compose-readiness-checks.ts";
import { composeServers } from "./compose-servers.ts";
import type { ApiConfig } from "./config.ts";
import { createConsoleSignIn, type ConsoleSignIn } from "./console/console-sign-in.ts";
import { findConsoleFolder, readConsoleSite } from "./console/console-site.ts";
import { chooseAuditLogger, createAuditLog } from "./middleware/audit.ts";

export async function composeApi(
  config: ApiConfig,
  parts: {
    readonly reportTypes: readonly RegisteredReportType[];
    readonly clocks: ApiTimings;
    readonly typesEnvironment: Readonly<Record<string, string>>;
    readonly traces: Tracer;
    readonly logger: Logger;
  },
  lifecycle: Lifecycle,
): Promise<void> {
  const { reportTypes, traces, logger } = parts;
  refuseUnknownRelations(reportTypes);
  prepareDatabaseConnections(config, databaseConnectionFunctions, logger);
  const metrics = createMetrics(import.meta.url);
  let hasStarted = false;
  const isStarted = (): boolean => hasStarted;
  const databases = composeDatabases(config);
  const { database } = databases;
  const clock = createDatabaseClock(database, {
    onFailure: (error) => logger.debug("Postgres's clock could not be read, retrying", { error }),
  });
  const files = await createFileStore(fileStoreSettingsOf(config));
  const identity = createStoreIdentity({ store: files, record: createStoreIdRepository(database), logger });
  const changes = createReportChangeFeed({ url: config.databaseUrl.reveal(), database });
  const audit = createAuditLog({ logger: chooseAuditLogger(config.logLevel, logger) });
  const signIn = composeConsoleSignIn(config, logger);
  const site = config.console
    ? readConsoleSite(findConsoleFolder(), { signIn, brand: { name: config.brandName, colour: config.brandColour } })
    : null;
  if (config.console && site === null) logger.info("there is no console, because it has not been built");
  const { listener, authentication, watches, catalogue } = composeApiListener(config, {
    ...parts,
    ...databases,
    previews: composePreviewReader(config, databases.previews, parts.typesEnvironment, logger),
    clock: clock.now,
    files,
    identity,
    changes,
    console: site,
    checks: composeReadinessChecks(config, database, { lifecycle, hasStarted: isStarted }),
    audit,
    metrics,
  });
  const servers = composeServers(listener, config, { newId, metrics, logger, hasStarted: isStarted });
  const listening = composeServerLifecycle(servers, config, {
    onReady({ address, port }) {
      hasStarted = true;
      logger.info("api is ready", { address, port, ...metrics.build });
    },
    // At a stop, waiting requests get their response. Event streams end, so that clients reconnect to another instance. Downloads continue.
    onStop: () => watches.close(),
  });

  lifecycle.add({ name: "traces", stop: async () => traces.close() });
  lifecycle.add(listening.probes);
  lifecycle.add({
    name: "database",
    start: async (signal) => {
      await waitUntilDatabaseIsReady(config, databaseConnectionFunctions, logger, signal);
      await refuseSharedSources(databases.sources, logger, signal);
      await clock.start();
    },
    stop: async () => {
      clock.stop();
      await databases.close();
    },
  });
  // The API fetches the keys before the first request, so that the start logs a wrong AUTH_JWKS_URL.
  lifecycle.add({ name: "issuer's keys", start: async () => authentication.issuerKeys?.load() });
  lifecycle.add({ name: "console's issuer", start: async () => site?.signIn?.origins() });
  composePeriodicTasks(config, { ...parts, database, identity, catalogue, metrics }, lifecycle);
  // The lifecycle stops its steps in reverse order. So the audit log writes its last lines after all requests have ended.
  lifecycle.add({ name: "audit", stop: async () => audit.flush() });
  lifecycle.add({ name: "changes", start: () => watches.start(), stop: async () => changes.close() });
  lifecycle.add(listening.http);
}

/** Throws ConfigurationError if a pooler shares the Postgres sessions of a source between clients. Only logs an unreachable source. */
async function refuseSharedSources(sources: ReportSources, logger: Logger, signal: AbortSignal): Promise<void> {
  const shared = await findSourcesSharingSessions(sources, {
    signal,
    onUnreachable: (source, error) => logger.warn("a source of report rows cannot be reached", { source, error }),
  });
  if (shared.length === 0) return;
  throw new ConfigurationError(
    shared.map((name) => ({ variable: sourceUrlVariableName(name), message: sharedSessionsProblem })),
  );
}

function refuseUnknownRelations(reportTypes: readonly RegisteredReportType[]): void {
  const problems = findRelationProblems(reportTypes.map(({ definition }) => definition));
  if (problems.length > 0)
    throw new ConfigurationError(problems.map((message) => ({ variable: "REPORT_TYPES", message })));
}

function composeConsoleSignIn(config: ApiConfig, logger: Logger): ConsoleSignIn | null {
  const { consoleOidcClientId: clientId, consoleOidcScope: scope, issuer } = config;
  if (clientId === undefined || issuer === undefined) return null;
  return createConsoleSignIn(
    { issuer, clientId, scope },
    {
      discover: discoverTokenEndpoint,
      onFailure: (error) => logger.warn("the console's issuer does not say where it gives tokens", { error }),
    },
  );
}
