import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { RegisteredReportType, ReportSources } from "@reports/core/report";
import {
  checkMigrations,
  checkQueue,
  checkRights,
  createDatabaseClock,
  createReportChanges,
  createStoreMarkerRecord,
  createWriteProbe,
  databaseServers,
  findRelationProblems,
  findSharedSources,
  removeStaleWindows,
  sharedSessionsProblem,
} from "@reports/db";
import {
  checkConnections,
  closeServer,
  ConfigurationError,
  createMetrics,
  fileStoreOf,
  listen,
  newId,
  remember,
  reportSourceVariable,
  StartingError,
  untilDatabaseIsReady,
} from "@reports/runtime";
import type { Check, Lifecycle, Logger, Traces } from "@reports/runtime";
import { createFileStore, createStoreIdentity } from "@reports/storage";
import { createChore } from "./chore.ts";
import type { ApiClocks } from "./clocks.ts";
import { composeDatabases } from "./compose-databases.ts";
import { composeGateway } from "./compose-gateway.ts";
import { composeServers } from "./compose-servers.ts";
import type { ApiConfig } from "./config.ts";
import { composeConsoleSignIn } from "./console/compose-console-sign-in.ts";
import { consoleFolder, readConsoleSite } from "./console/console-site.ts";
import { auditLogger, createAuditLog } from "./middleware/audit.ts";
import { createStoreWatch } from "./store-watch.ts";
import { composeWebhookKeys } from "./webhook-keys/compose-webhook-keys.ts";
import { createResealing } from "./webhook-keys/reseal-secrets.ts";

/** Wires the API and registers its parts with the lifecycle, in the order in which they start. */
export async function composeApi(
  config: ApiConfig,
  parts: {
    readonly reportTypes: readonly RegisteredReportType[];
    readonly clocks: ApiClocks;
    readonly traces: Traces;
    readonly logger: Logger;
  },
  lifecycle: Lifecycle,
): Promise<void> {
  const { reportTypes, clocks, traces, logger } = parts;
  refuseUnknownRelations(reportTypes);
  checkConnections(config, databaseServers, logger);
  const databaseUrl = config.databaseUrl.reveal();
  const metrics = createMetrics(import.meta.url);
  let hasStarted = false;
  const databases = composeDatabases(config);
  const { database } = databases;
  const clock = createDatabaseClock(database, {
    onFailure: (error) => logger.debug("Postgres's clock could not be read, retrying", { error }),
  });
  const files = await createFileStore(fileStoreOf(config));
  const identity = createStoreIdentity({ store: files, record: createStoreMarkerRecord(database), logger });
  // Readiness needs no credentials: however often it is asked for, each part is looked at once a second.
  const everySecond = { okMs: 1_000, failureMs: 1_000 };
  const checks: Record<string, Check> = {
    database: remember(async () => database.check(), everySecond),
    writes: createWriteProbe(database),
    migrations: remember(
      async () => {
        const { problem } = await checkMigrations({ databaseUrl, queueSchema: config.queueSchema });
        if (problem !== null) throw new Error(problem);
      },
      { okMs: 30_000, failureMs: 1_000 },
    ),
    // Rarely wrong, but starts are refused while it is.
    queue: remember(async () => checkQueue(database, config.queueSchema), { okMs: 5_000, failureMs: 1_000 }),
    rights: remember(async () => checkRights(database, { role: "api", queueSchema: config.queueSchema }), {
      okMs: 30_000,
      failureMs: 1_000,
    }),
    running: async () => {
      lifecycle.signal.throwIfAborted();
      if (!hasStarted) throw new StartingError("The process is starting.");
    },
  };
  const changes = createReportChanges({ url: databaseUrl, database });
  const audit = createAuditLog({ logger: auditLogger(config.logLevel, logger) });
  const signIn = composeConsoleSignIn(config, logger);
  const site = config.console ? readConsoleSite(consoleFolder(), signIn) : null;
  if (config.console && site === null) logger.info("there is no console, because it has not been built");
  const { listener, entrance, watches } = composeGateway(config, {
    ...databases,
    clock: clock.now,
    clocks,
    files,
    identity,
    changes,
    reportTypes,
    console: site,
    checks,
    audit,
    logger,
    metrics,
    traces,
  });
  const { server, probeServer } = composeServers(listener, config, {
    newId,
    metrics,
    logger,
    hasStarted: () => hasStarted,
  });

  // First, so that the platform sees that the process lives while it waits for the database. On PORT, everything but probes gets 503 until the
  // last step; where probes have a port of their own, PORT is not opened before: a balancer that asks for no probes goes on to another instance.
  const [early, earlyPort] = probeServer === undefined ? [server, config.port] : [probeServer, config.probePort!];
  let listensAt: AddressInfo | undefined;
  lifecycle.add({ name: "traces", stop: async () => traces.close() });
  lifecycle.add({
    name: "probes",
    start: async () => void (listensAt = await listen(early, { host: config.host, port: earlyPort })),
    stop: async (signal) => closeServer(early, signal),
  });
  lifecycle.add({
    name: "database",
    start: async (signal) => {
      await untilDatabaseIsReady(config, databaseServers, logger, signal);
      await refuseSharedSources(databases.sources, logger, signal);
      await clock.start();
    },
    stop: async () => {
      clock.stop();
      await databases.close();
    },
  });
  // Ahead of the first token, so that a wrong address shows at once.
  lifecycle.add({ name: "issuer's keys", start: async () => entrance.issuerKeys?.load(), stop: async () => undefined });
  lifecycle.add({
    name: "console's issuer",
    start: async () => void (await site?.signIn?.origins()),
    stop: async () => undefined,
  });
  const storeWatch = createStoreWatch(identity, clocks.storeMs);
  lifecycle.add({ name: "store", start: async () => storeWatch.start(), stop: () => storeWatch.stop() });
  // Nothing depends on it: a stale window counts as little as a removed one.
  const sweep = createChore(
    async () => removeStaleWindows(database),
    (error) => logger.warn("stale rate windows were not removed", { error }),
    clocks.choresMs,
  );
  lifecycle.add({ name: "limits", start: async () => sweep.start(), stop: async () => sweep.stop() });
  const webhookKeys = composeWebhookKeys(config, { database, logger });
  if (webhookKeys !== null) {
    const resealing = createChore(
      createResealing(webhookKeys),
      (error) => logger.warn("secrets of webhooks were not sealed under the first key, retrying", { error }),
      clocks.choresMs,
    );
    lifecycle.add({ name: "webhook keys", start: () => resealing.start(), stop: async () => resealing.stop() });
  }
  // Ahead of what takes requests, so that it ends after them.
  lifecycle.add({ name: "audit", start: async () => undefined, stop: async () => audit.flush() });
  lifecycle.add({
    name: "changes",
    start: () => watches.start(),
    stop: async () => changes.close(),
  });
  lifecycle.add({
    name: "http",
    start: async () => {
      if (early !== server) listensAt = await listen(server, { host: config.host, port: config.port });
      hasStarted = true;
      const { address, port } = listensAt!;
      logger.info("api is ready", { address, port, ...metrics.build });
    },
    stop: async (signal) => {
      // Callers that keep their connections are to open new ones, at other instances.
      server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
      // Readiness fails already; the balancer needs time to see it before connections are refused.
      await wait(config.shutdownDelaySeconds * 1000, undefined, { signal }).catch(() => undefined);
      // Who waits is answered, who follows is sent to another instance; downloads go on.
      watches.close();
      await closeServer(server, signal);
    },
    stopTimeoutMs: (config.shutdownDelaySeconds + config.shutdownGraceSeconds) * 1000,
  });
}

/** A source that is away now is no reason not to start: the worker looks at it, too, and the API only asks it how large reports are. */
async function refuseSharedSources(sources: ReportSources, logger: Logger, signal: AbortSignal): Promise<void> {
  const shared = await findSharedSources(sources, {
    signal,
    onUnreachable: (source, error) => logger.warn("a source of report rows cannot be reached", { source, error }),
  });
  if (shared.length === 0) return;
  throw new ConfigurationError(
    shared.map((name) => ({ variable: reportSourceVariable(name), message: sharedSessionsProblem })),
  );
}

/** Throws ConfigurationError with everything that is wrong: which relations there are, nobody but the database package can tell. */
function refuseUnknownRelations(reportTypes: readonly RegisteredReportType[]): void {
  const problems = findRelationProblems(reportTypes.map(({ definition }) => definition));
  if (problems.length > 0)
    throw new ConfigurationError(problems.map((message) => ({ variable: "REPORT_TYPES", message })));
}
