import { setTimeout as wait } from "node:timers/promises";
import { registerReportTypes } from "@reports/auth";
import type { ReportTypeRegistration } from "@reports/auth";
import { builtInReportTypes, createCatalogue, firstLane } from "@reports/core";
import {
  checkMigrations,
  createDatabase,
  createFileSuspicions,
  createFileRemovals,
  createListDatabase,
  createLoginThrottle,
  createReportChanges,
  createReportLists,
  createReportStore,
  createRowEstimate,
  createStoreMarkerRecord,
  createUserStore,
  hasSharedSessions,
  readOldestSnapshot,
  readLaneLoads,
  removeStaleWindows,
  sharedSessionsProblem,
  waitForMigrations,
} from "@reports/db";
import {
  closeServer,
  ConfigurationError,
  createMetrics,
  fileStoreOf,
  listen,
  newId,
  systemClock,
} from "@reports/runtime";
import type { Check, Lifecycle, Logger } from "@reports/runtime";
import { createFileStore, createStoreIdentity } from "@reports/storage";
import { createApp } from "./app.ts";
import type { ApiConfig } from "./config.ts";
import { auditLogger, createAuditLog } from "./middleware/audit.ts";
import { createReportWatches } from "./notifications/report-watches.ts";
import { createEndpoints } from "./routes/endpoints.ts";
import { composeEntrance } from "./compose-entrance.ts";
import { composeServers } from "./compose-servers.ts";
import { registerCollections } from "./compose-collections.ts";
import { createDownloadSlots } from "./limits/download-slots.ts";
import { createListSlots } from "./limits/list-slots.ts";
import { createOverloadGuard } from "./limits/overload-guard.ts";
import { createRefusalPace } from "./limits/pace-refusals.ts";
import { createRequestLimiter } from "./limits/request-limiter.ts";
import { createWindowSweep } from "./limits/window-sweep.ts";
import { countPasswordChecks, createKeySetReport, describeIssuerKeys } from "./entrance-metrics.ts";
import { remember } from "./remember.ts";
import { describeService } from "./service-metrics.ts";
import { createStoreWatch } from "./store-watch.ts";

/** How long a start waits for a migration that somebody else is running. */
const migrationWaitMs = 60_000;

/** What a composition may replace; production replaces nothing. */
export interface ApiParts {
  readonly reportTypes?: readonly ReportTypeRegistration[];
}

/** Wires the API and registers its parts with the lifecycle, in the order in which they start. */
export function composeApi(config: ApiConfig, logger: Logger, lifecycle: Lifecycle, parts: ApiParts = {}): void {
  const databaseUrl = config.databaseUrl.reveal();
  const metrics = createMetrics();
  const database = createDatabase({ url: databaseUrl, max: config.databaseConnections });
  // Apart from the others, so that no number of slow lists holds up credentials, starts, single records and probes.
  const listDatabase = createListDatabase({ url: databaseUrl, max: config.listConnections });
  const files = createFileStore(fileStoreOf(config));
  const identity = createStoreIdentity({ store: files, record: createStoreMarkerRecord(database), logger });
  const registrations = parts.reportTypes ?? builtInReportTypes.map((definition) => ({ definition }));
  const { definitions, authorities } = registerReportTypes(
    registrations,
    config.reportAuthorities === undefined ? {} : { overrides: config.reportAuthorities },
  );
  const shared = {
    catalogue: createCatalogue(definitions),
    authorities,
    logger,
    metrics,
    newId,
    basePath: config.basePath,
  };
  // Readiness needs no credentials: however often it is asked for, each part is looked at once a second.
  const everySecond = { okMs: 1_000, failureMs: 1_000 };
  const checks: Record<string, Check> = {
    database: remember(async () => database.check(), everySecond),
    migrations: remember(
      async () => {
        const { current } = await checkMigrations({ databaseUrl, queueSchema: config.queueSchema });
        if (!current) throw new Error("The database's schema is older than this program.");
      },
      { okMs: 30_000, failureMs: 1_000 },
    ),
    running: async () => lifecycle.signal.throwIfAborted(),
  };
  const reports = createReportStore(database);
  const changes = createReportChanges({ url: databaseUrl, database });
  const watches = createReportWatches({
    reports,
    changes,
    logger,
    metrics,
    maxWatches: config.watchLimit,
    maxWatchesPerPrincipal: config.watchLimitPerPrincipal,
  });
  const downloads = createDownloadSlots({
    total: config.downloadLimit,
    perPrincipal: config.downloadLimitPerPrincipal,
  });
  describeService(metrics, {
    readLanes: async () => database.query(async (queries) => readLaneLoads(queries)),
    readOldestSnapshot: async () => database.query(readOldestSnapshot),
    openDownloads: () => downloads.held,
    storeState: identity.state,
  });
  const entrance = composeEntrance(config, {
    users: createUserStore(database),
    throttle: createLoginThrottle(database, {
      perAddress: config.loginFailureLimit,
      perAccount: config.accountFailureLimit,
    }),
    onKeySetFailure: createKeySetReport(metrics, logger),
    onPasswordCheck: countPasswordChecks(metrics),
  });
  describeIssuerKeys(metrics, entrance.issuerKeys?.state);
  const estimateRows = createRowEstimate(database);
  const endpoints = createEndpoints({
    ...shared,
    reports,
    reportLists: createReportLists(listDatabase),
    lists: createListSlots(config.listLimitPerPrincipal, metrics),
    files,
    suspicions: createFileSuspicions(database),
    identity,
    storeState: identity.state,
    issuerKeysState: entrance.issuerKeys?.state,
    removals: createFileRemovals(database),
    watches,
    collections: registerCollections(database, listDatabase),
    now: systemClock,
    coalesceGetStarts: config.coalesceGetStarts,
    chooseLane: async ({ definition, searchParam, options }) =>
      firstLane(options.format, await estimateRows(definition, searchParam)),
    startLimits: { perMinute: config.startLimitPerMinute, unfinished: config.unfinishedLimit },
    refuseOverload: createOverloadGuard({
      limits: { waiting: config.overloadQueueLength, oldestWaitSeconds: config.overloadQueueAgeSeconds },
      readLoads: async () => database.query(async (queries) => readLaneLoads(queries, config.overloadQueueLength || 1)),
    }),
    issueToken: entrance.issueToken,
    checks,
  });
  const audit = createAuditLog({ logger: auditLogger(config.logLevel, logger) });
  const app = createApp({
    ...shared,
    audit,
    endpoints,
    authenticate: entrance.authenticate,
    refusals: createRefusalPace({ perSecond: config.refusalLimitPerSecond }),
    requestLimiter: createRequestLimiter({ perMinute: config.requestLimitPerMinute }),
    downloads,
    trustedProxyHops: config.trustedProxyHops,
  });
  const { server, probeServer } = composeServers(app, config, { newId, metrics, logger });

  lifecycle.add({
    name: "database",
    start: async (signal) => {
      await waitForMigrations({ databaseUrl, queueSchema: config.queueSchema, timeoutMs: migrationWaitMs, signal });
      if (await hasSharedSessions(databaseUrl, { timeoutMs: migrationWaitMs, signal }))
        throw new ConfigurationError([{ variable: "DATABASE_URL", message: sharedSessionsProblem }]);
    },
    stop: async () => void (await Promise.all([database.close(), listDatabase.close()])),
  });
  // Ahead of the first token, so that a wrong address shows at once.
  lifecycle.add({ name: "issuer's keys", start: async () => entrance.issuerKeys?.load(), stop: async () => undefined });
  const storeWatch = createStoreWatch(identity);
  lifecycle.add({ name: "store", start: async () => storeWatch.start(), stop: () => storeWatch.stop() });
  const sweep = createWindowSweep({ remove: async () => removeStaleWindows(database), logger });
  lifecycle.add({ name: "limits", start: async () => sweep.start(), stop: async () => sweep.stop() });
  // Ahead of what takes requests, so that it ends after them.
  lifecycle.add({ name: "audit", start: async () => undefined, stop: async () => audit.flush() });
  lifecycle.add({
    name: "changes",
    start: () => watches.start(),
    stop: async () => changes.close(),
  });
  if (probeServer !== undefined) {
    lifecycle.add({
      name: "probes",
      start: async () => void (await listen(probeServer, { host: config.host, port: config.probePort! })),
      stop: async (signal) => closeServer(probeServer, signal),
    });
  }
  lifecycle.add({
    name: "http",
    start: async () => {
      const { address, port } = await listen(server, { host: config.host, port: config.port });
      logger.info("api is ready", { address, port });
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
