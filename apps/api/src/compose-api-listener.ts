import type { RequestListener } from "node:http";
import { createLinkCreatorCheck, createReportAccess, toTypesWithAuthorities } from "@reports/auth";
import type { AuthorityLookup, KeySetState } from "@reports/auth";
import {
  createCatalogue,
  reportFormats,
  type RegisteredReportType,
  type ReportCatalogue,
  type ReportChangeFeed,
  type ReportPreviewReader,
  createFilterValueCache,
} from "@reports/core/report";
import type { Clock, FileStore, StoreIdentity, StoreState } from "@reports/core/base";
import {
  createDownloadLinkStore,
  createFileRemovals,
  createSuspiciousFileRecorder,
  createDownloadLinkThrottle,
  createLoginThrottle,
  createInventoryCollections,
  createReportLists,
  createReportStore,
  createScheduleStore,
  createUserStore,
  createOwnedCollectionStores,
  readLaneLoads,
  readOldestDbSnapshotAgeMs,
  readServedTypeVersions,
  readRunningWorkers,
  type Database,
  type ListConnectionPool,
  type RowEstimator,
} from "@reports/db";
import { createScheduleCalendar } from "@reports/calendar";
import { createReportCounters, registerDatabaseCallMetrics, newId } from "@reports/runtime";
import type { HealthCheck, Logger, Metrics, Tracer } from "@reports/runtime";
import { createApp } from "./app.ts";
import type { ApiTimings } from "./clocks.ts";
import { composeAuthentication, type AuthenticationComponents } from "./compose-authentication.ts";
import { composePreviewDeps } from "./compose-preview-deps.ts";
import { composeReportStartDeps } from "./compose-report-start-deps.ts";
import { composeWebhookDeps } from "./compose-webhook-deps.ts";
import type { ApiConfig } from "./config.ts";
import { createCountingReportStore } from "./count-reports.ts";
import { createOwnerAuthorityConfirmer } from "./confirm-owners.ts";
import type { ConsoleSite } from "./console/console-site.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import {
  registerPasswordCheckCounter,
  createKeySetFailureLog,
  registerIssuerKeyMetrics,
} from "./authentication-metrics.ts";
import { createBodyMemoryBudget } from "./limits/body-memory-budget.ts";
import { createDownloadLimiter } from "./limits/download-limiter.ts";
import { createListConcurrencyLimiter } from "./limits/list-concurrency-limiter.ts";
import { createRefusalThrottle, type RefusalThrottle } from "./limits/refusal-throttle.ts";
import { createRequestLimiter } from "./limits/request-limiter.ts";
import type { AuditLog } from "./middleware/audit.ts";
import { createReportWatchHub } from "./notifications/report-watches.ts";
import type { ReportWatchHub, ReportWatchHubOptions } from "./notifications/report-watches.ts";
import { defineOwnedCollection } from "./resource/define-owned-collection.ts";
import type { ServedCollection } from "./resource/collection-with-store.ts";
import { createEndpoints, type SharedEndpointDeps } from "./routes/endpoints.ts";
import { registerServiceMetrics } from "./service-metrics.ts";

export interface ApiListenerDeps {
  readonly database: Database;
  /** A separate connection pool for lists, so that slow lists cannot delay logins, starts, reads of single records or probes. */
  readonly listDatabase: ListConnectionPool;
  /** Reads rows for previews and estimates, on separate connections so that no other request waits for them. */
  readonly previews: ReportPreviewReader;
  /** The time by Postgres's clock. With it, all instances resolve relative times, and let links expire, at the same moment. */
  readonly clock: Clock;
  readonly clocks: ApiTimings;
  readonly rowSizes: RowEstimator;
  readonly files: FileStore;
  readonly identity: Pick<StoreIdentity, "assert"> & { readonly state: () => StoreState };
  readonly changes: ReportChangeFeed;
  readonly reportTypes: readonly RegisteredReportType[];
  /** Null if the API serves no console. */
  readonly console: ConsoleSite | null;
  readonly checks: Readonly<Record<string, HealthCheck>>;
  readonly audit: AuditLog;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly traces: Tracer;
}

export interface ApiListenerOverrides {
  readonly collections?: readonly ServedCollection[];
  readonly watching?: Pick<Partial<ReportWatchHubOptions>, "maxWatches" | "maxWatchesPerPrincipal">;
  readonly issuerKeysState?: () => KeySetState;
  readonly refusals?: RefusalThrottle;
  readonly now?: Clock;
  readonly checkResponses?: boolean;
}

export interface ApiListenerComponents {
  readonly listener: RequestListener;
  readonly endpoints: readonly Endpoint[];
  readonly catalogue: ReportCatalogue;
  readonly authorities: AuthorityLookup;
  readonly authentication: AuthenticationComponents;
  readonly watches: ReportWatchHub;
}

/** Connects endpoints, limits and authentication to the given databases and file store. Opens no connection and listens on no port. */
export function composeApiListener(
  config: ApiConfig,
  parts: ApiListenerDeps,
  changes: ApiListenerOverrides = {},
): ApiListenerComponents {
  const { database, listDatabase, identity, clocks, logger, metrics } = parts;
  const { definitions, authorities } = toTypesWithAuthorities(
    parts.reportTypes,
    config.reportAuthorities === undefined ? {} : { overrides: config.reportAuthorities },
  );
  const catalogue = createCatalogue(definitions);
  const kinds = { type: catalogue.list().map(({ type }) => type), format: reportFormats };
  const reports = createCountingReportStore(createReportStore(database), createReportCounters(metrics, kinds));
  const users = createUserStore(database);
  const watches = createReportWatchHub({
    reports,
    changes: parts.changes,
    logger,
    metrics,
    maxWatches: config.watchLimit,
    maxWatchesPerPrincipal: config.watchLimitPerPrincipal,
    clocks,
    ...changes.watching,
  });
  const downloads = createDownloadLimiter({
    total: config.downloadLimit,
    perPrincipal: config.downloadLimitPerPrincipal,
  });
  const queue = {
    readLanes: async () => database.query(async (queries) => readLaneLoads(queries)),
    readWorkers: async () => database.query(readRunningWorkers),
  };
  const authentication = composeAuthentication(config, {
    users,
    throttle: createLoginThrottle(database, {
      perAddress: config.loginFailureLimit,
      perAccount: config.accountFailureLimit,
    }),
    onKeySetFailure: createKeySetFailureLog(metrics, logger),
    onPasswordCheck: registerPasswordCheckCounter(metrics),
  });
  registerDatabaseCallMetrics(metrics, database.load);
  registerServiceMetrics(metrics, {
    ...queue,
    readOldestSnapshot: async () => database.query(readOldestDbSnapshotAgeMs),
    readServedTypes: async () => database.query(readServedTypeVersions),
    definitions: catalogue.list(),
    openDownloads: () => downloads.held,
    storeState: identity.state,
  });
  registerIssuerKeyMetrics(metrics, authentication.issuerKeys?.state);
  const schedules = createScheduleStore(database, listDatabase);
  const webhooks = composeWebhookDeps(config, parts);
  const base: SharedEndpointDeps = {
    catalogue,
    authorities,
    reports,
    watches,
    reportAccess: createReportAccess({ authorities, visibility: config.reportVisibility }),
    lists: createListConcurrencyLimiter(
      {
        perPrincipal: config.listLimitPerPrincipal,
        connections: config.listConnections,
        deadlineMs: config.listTimeoutSeconds * 1000,
      },
      metrics,
    ),
    clocks,
    newId,
    now: changes.now ?? parts.clock,
    basePath: config.basePath,
    metrics,
    logger,
  };
  const filterValues = createFilterValueCache(parts.previews.readFilterValues, { waitMs: clocks.filterValuesMs });
  const endpoints = createEndpoints({
    base,
    reportLists: createReportLists(listDatabase),
    starts: composeReportStartDeps(config, parts, filterValues),
    files: {
      files: parts.files,
      suspicions: createSuspiciousFileRecorder(database),
      identity,
      removals: createFileRemovals(database),
    },
    links:
      config.linkMaxSeconds === 0
        ? null
        : {
            links: createDownloadLinkStore(database),
            linkThrottle: createDownloadLinkThrottle(database, config.loginFailureLimit),
            mayStillRead: createLinkCreatorCheck({ users, reportAccess: base.reportAccess }),
            linkMaxSeconds: config.linkMaxSeconds,
            publicUrl: config.publicUrl ?? "",
          },
    rows: composePreviewDeps(config, parts.previews, filterValues, metrics),
    queue,
    schedules: {
      schedules,
      filterValues,
      calendar: createScheduleCalendar(),
      minMinutes: config.scheduleMinMinutes,
      confirmDays: config.scheduleConfirmDays,
    },
    collections: [
      ...createInventoryCollections(database, listDatabase),
      ...createOwnedCollectionStores(database, listDatabase).map((each) => defineOwnedCollection({ newId }, each)),
      ...(changes.collections ?? []),
    ],
    webhooks,
    operations: {
      checks: parts.checks,
      storeState: identity.state,
      issuerKeysState: changes.issuerKeysState ?? authentication.issuerKeys?.state,
    },
    issueToken: authentication.issueToken,
    console: parts.console,
    securityContact: config.securityContact,
  });
  const listener = createApp({
    ...base,
    audit: parts.audit,
    traces: parts.traces,
    endpoints,
    authenticate: authentication.authenticate,
    noteCaller: createOwnerAuthorityConfirmer({ schedules, webhooks: webhooks && webhooks.store, authorities, logger }),
    refusals: changes.refusals ?? createRefusalThrottle({ perSecond: config.refusalLimitPerSecond }),
    requestLimiter: createRequestLimiter({ perMinute: config.requestLimitPerMinute }),
    downloads,
    bodies: createBodyMemoryBudget({
      totalBytes: config.bodyBytesLimit,
      perPrincipalBytes: config.bodyBytesLimitPerPrincipal,
    }),
    trustedProxyHops: config.trustedProxyHops,
    corsOrigins: config.corsOrigins,
    checkResponses: changes.checkResponses ?? false,
  });
  return { listener, endpoints, catalogue, authorities, authentication, watches };
}
