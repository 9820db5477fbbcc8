import { setTimeout as wait } from "node:timers/promises";
import { createAuthenticator, createBasicVerifier, createBearerVerifier, registerReportTypes } from "@reports/auth";
import type { BearerVerifier, ReportTypeRegistration, UserDirectory } from "@reports/auth";
import { builtInReportTypes, createCatalogue } from "@reports/core";
import { checkMigrations, createDatabase, createReportStore, createUserStore, waitForMigrations } from "@reports/db";
import { closeServer, createMetrics, fileStoreOf, listen, newId, systemClock } from "@reports/runtime";
import type { Check, Lifecycle, Logger } from "@reports/runtime";
import { createFileStore } from "@reports/storage";
import { createApp } from "./app.ts";
import type { ApiConfig } from "./config.ts";
import { createEndpoints } from "./routes/endpoints.ts";
import { registerCollections } from "./compose-collections.ts";
import { createHttpServer } from "./server.ts";

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
  const database = createDatabase({ url: databaseUrl });
  const files = createFileStore(fileStoreOf(config));
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
  const checks: Record<string, Check> = {
    database: async () => database.check(),
    migrations: async () => {
      const { current } = await checkMigrations({ databaseUrl });
      if (!current) throw new Error("The database's schema is older than this program.");
    },
    storage: async (signal) => files.check({ signal }),
    running: async () => lifecycle.signal.throwIfAborted(),
  };
  const endpoints = createEndpoints({
    ...shared,
    reports: createReportStore(database),
    files,
    collections: registerCollections(database),
    now: systemClock,
    coalesceGetStarts: config.coalesceGetStarts,
    checks,
  });
  const app = createApp({
    ...shared,
    endpoints,
    authenticate: openEntrance(config, createUserStore(database)),
    trustedProxyHops: config.trustedProxyHops,
  });
  const server = createHttpServer(app, { newId, basePath: config.basePath });

  lifecycle.add({
    name: "database",
    start: async (signal) => waitForMigrations({ databaseUrl, timeoutMs: migrationWaitMs, signal }),
    stop: async () => database.close(),
  });
  lifecycle.add({
    name: "http",
    start: async () => {
      const { address, port } = await listen(server, { host: config.host, port: config.port });
      logger.info("api is ready", { address, port });
    },
    stop: async (signal) => {
      // Readiness fails already; the balancer needs time to see it before connections are refused.
      await wait(config.shutdownDelaySeconds * 1000, undefined, { signal }).catch(() => undefined);
      await closeServer(server, signal);
    },
    stopTimeoutMs: (config.shutdownDelaySeconds + config.shutdownGraceSeconds) * 1000,
  });
}

function openEntrance(config: ApiConfig, users: UserDirectory) {
  const bearer = openBearer(config);
  return createAuthenticator({ basic: createBasicVerifier({ users }), ...(bearer === undefined ? {} : { bearer }) });
}

function openBearer(config: ApiConfig): BearerVerifier | undefined {
  const rules = {
    authoritiesClaim: config.authoritiesClaim,
    ...(config.issuer === undefined ? {} : { issuer: config.issuer }),
    ...(config.audience === undefined ? {} : { audience: config.audience }),
  };
  if (config.jwtSecrets !== undefined) return createBearerVerifier({ ...rules, secrets: config.jwtSecrets.reveal() });
  if (config.jwksUrl !== undefined) return createBearerVerifier({ ...rules, jwksUrl: new URL(config.jwksUrl) });
  return undefined;
}
