import type { RequestListener } from "node:http";
import { createMakerCheck, createReportAccess, registerReportTypes } from "@reports/auth";
import type { Authorities, KeySetState } from "@reports/auth";
import {
  createCatalogue,
  firstLane,
  overloadLimitsOf,
  reportFormats,
  type RegisteredReportType,
  type ReportCatalogue,
  type ReportChangeSource,
  type ReportPreviews,
} from "@reports/core/report";
import type { Clock, FileStore, StoreIdentity, StoreState } from "@reports/core/base";
import {
  createDownloadLinkStore,
  createFileRemovals,
  createFileSuspicions,
  createLinkThrottle,
  createLoginThrottle,
  createRegister,
  createReportLists,
  createReportStore,
  createScheduleStore,
  createUserStore,
  createWebhookLists,
  createWebhookStore,
  readLaneLoads,
  readOldestSnapshot,
  readServedTypes,
  readWorkers,
  type Database,
  type ListDatabase,
  type RowSizes,
} from "@reports/db";
import { createScheduleCalendar } from "@reports/calendar";
import { createReportCounters, describeCalls, judgeUrl, newId, noAllowance } from "@reports/runtime";
import type { Check, Logger, Metrics, Traces } from "@reports/runtime";
import { createApp } from "./app.ts";
import type { ApiClocks } from "./clocks.ts";
import { composeEntrance, type Entrance } from "./compose-entrance.ts";
import type { ApiConfig } from "./config.ts";
import { countReports } from "./count-reports.ts";
import { createOwnerConfirmation } from "./confirm-owners.ts";
import type { ConsoleSite } from "./console/console-site.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { countPasswordChecks, createKeySetReport, describeIssuerKeys } from "./entrance-metrics.ts";
import { createBodyBudget } from "./limits/body-budget.ts";
import { createDownloadSlots } from "./limits/download-slots.ts";
import { createListSlots, previewKind } from "./limits/list-slots.ts";
import { createOverloadGuard } from "./limits/overload-guard.ts";
import { createRefusalPace, type RefusalPace } from "./limits/pace-refusals.ts";
import { createRequestLimiter } from "./limits/request-limiter.ts";
import { createStartLimits } from "./limits/start-limits.ts";
import type { AuditLog } from "./middleware/audit.ts";
import { createReportWatches } from "./notifications/report-watches.ts";
import type { ApiReportWatches, ReportWatchesOptions } from "./notifications/report-watches.ts";
import type { MountedCollection } from "./resource/mounted-collection.ts";
import { createEndpoints } from "./routes/endpoints.ts";
import type { ReportRowsDeps } from "./routes/report-rows.ts";
import { describeService } from "./service-metrics.ts";
import { composeWebhookKeys } from "./webhook-keys/compose-webhook-keys.ts";
import { describeWebhookKeys } from "./webhook-keys/describe-webhook-keys.ts";
import { createSecretSealing } from "./webhook-keys/seal-secret.ts";

/** What the gateway stands on. */
export interface GatewayParts {
  readonly database: Database;
  /** Apart from the other, so that no number of slow lists holds up credentials, starts, single records and probes. */
  readonly listDatabase: ListDatabase;
  /** Reads of report rows without a report; nothing else waits for them. */
  readonly previews: ReportPreviews;
  /** Postgres's clock: relative times and the ends of links mean the same at every instance. */
  readonly clock: Clock;
  readonly clocks: ApiClocks;
  /** How large a report will be, which decides its lane. */
  readonly rowSizes: RowSizes;
  readonly files: FileStore;
  readonly identity: Pick<StoreIdentity, "assert"> & { readonly state: () => StoreState };
  readonly changes: ReportChangeSource;
  readonly reportTypes: readonly RegisteredReportType[];
  /** Null: there are no pages for people. */
  readonly console: ConsoleSite | null;
  /** Readiness. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly audit: AuditLog;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly traces: Traces;
}

/** What tests put in the place of the gateway's own, or beside it; production sets nothing of it. */
export interface GatewayChanges {
  /** Beside those of the register. */
  readonly collections?: readonly MountedCollection[];
  /** Bounds of watches. */
  readonly watching?: Pick<Partial<ReportWatchesOptions>, "maxWatches" | "maxWatchesPerPrincipal">;
  readonly issuerKeysState?: () => KeySetState;
  /** Of callers who have shown no credentials. */
  readonly refusals?: RefusalPace;
  /** By which links end; that of the system unless it is said. */
  readonly now?: Clock;
  /** A reply that its endpoint does not declare is an error. */
  readonly checkResponses?: boolean;
}

/** Everything that answers requests. */
export interface Gateway {
  readonly listener: RequestListener;
  readonly endpoints: readonly Endpoint[];
  readonly catalogue: ReportCatalogue;
  readonly authorities: Authorities;
  readonly entrance: Entrance;
  /** Tells nothing before it is started. */
  readonly watches: ApiReportWatches;
}

/** Wires endpoints, limits and credentials on databases and a file store. Opens nothing and listens to nothing. */
export function composeGateway(config: ApiConfig, parts: GatewayParts, changes: GatewayChanges = {}): Gateway {
  const { database, listDatabase, identity, logger, metrics } = parts;
  const { definitions, authorities } = registerReportTypes(
    parts.reportTypes,
    config.reportAuthorities === undefined ? {} : { overrides: config.reportAuthorities },
  );
  const catalogue = createCatalogue(definitions);
  const kinds = { type: catalogue.list().map(({ type }) => type), format: reportFormats };
  const reports = countReports(createReportStore(database), createReportCounters(metrics, kinds));
  describeCalls(metrics, database.load);
  const shared = {
    catalogue,
    authorities,
    reports,
    reportAccess: createReportAccess({ authorities, visibility: config.reportVisibility }),
    logger,
    metrics,
    newId,
    basePath: config.basePath,
  };
  const watches = createReportWatches({
    reports,
    changes: parts.changes,
    logger,
    metrics,
    maxWatches: config.watchLimit,
    maxWatchesPerPrincipal: config.watchLimitPerPrincipal,
    clocks: parts.clocks,
    ...changes.watching,
  });
  const downloads = createDownloadSlots({
    total: config.downloadLimit,
    perPrincipal: config.downloadLimitPerPrincipal,
  });
  describeService(metrics, {
    readLanes: async () => database.query(async (queries) => readLaneLoads(queries)),
    readOldestSnapshot: async () => database.query(readOldestSnapshot),
    readServedTypes: async () => database.query(readServedTypes),
    readWorkers: async () => database.query(readWorkers),
    definitions: shared.catalogue.list(),
    openDownloads: () => downloads.held,
    storeState: identity.state,
  });
  const users = createUserStore(database);
  const entrance = composeEntrance(config, {
    users,
    throttle: createLoginThrottle(database, {
      perAddress: config.loginFailureLimit,
      perAccount: config.accountFailureLimit,
    }),
    onKeySetFailure: createKeySetReport(metrics, logger),
    onPasswordCheck: countPasswordChecks(metrics),
  });
  describeIssuerKeys(metrics, entrance.issuerKeys?.state);
  const keys = composeWebhookKeys(config, { database, logger });
  if (keys !== null) describeWebhookKeys(metrics, { secrets: keys.secrets, key: keys.keys[0] });
  const schedules = createScheduleStore(database, listDatabase);
  const webhooks = config.webhookKeys === undefined ? null : createWebhookStore(database);
  const overload = { waiting: config.overloadQueueLength, oldestWaitSeconds: config.overloadQueueAgeSeconds };
  const countAtMost = Math.max(1, ...Object.values(overload.waiting));
  const endpoints = createEndpoints({
    ...shared,
    ...composePreviews(config, parts),
    readLanes: async () => database.query(async (queries) => readLaneLoads(queries)),
    readWorkers: async () => database.query(readWorkers),
    reportLists: createReportLists(listDatabase),
    lists: createListSlots(
      {
        perPrincipal: config.listLimitPerPrincipal,
        connections: config.listConnections,
        deadlineMs: config.listTimeoutSeconds * 1000,
      },
      metrics,
    ),
    files: parts.files,
    suspicions: createFileSuspicions(database),
    identity,
    storeState: identity.state,
    issuerKeysState: changes.issuerKeysState ?? entrance.issuerKeys?.state,
    removals: createFileRemovals(database),
    watches,
    clocks: parts.clocks,
    collections: [...createRegister(database, listDatabase), ...(changes.collections ?? [])],
    now: changes.now ?? parts.clock,
    links: createDownloadLinkStore(database),
    linkThrottle: createLinkThrottle(database, config.loginFailureLimit),
    schedules,
    calendar: createScheduleCalendar(),
    minMinutes: config.scheduleMinMinutes,
    confirmDays: config.scheduleConfirmDays,
    mayStillRead: createMakerCheck({ users, reportAccess: shared.reportAccess }),
    linkMaxSeconds: config.linkMaxSeconds,
    publicUrl: config.publicUrl ?? "",
    webhooks:
      keys === null || webhooks === null
        ? null
        : {
            store: webhooks,
            lists: createWebhookLists(listDatabase),
            seal: createSecretSealing({ ...keys, key: keys.keys[0], readKeys: keys.secrets.readKeys }),
            judgeUrl: (url) => judgeUrl(url, config.webhookAllow ?? noAllowance),
          },
    coalesceGetStarts: config.coalesceGetStarts,
    chooseLane: async ({ definition, searchParam, options }) =>
      firstLane(options.format, await parts.rowSizes.estimate(definition, searchParam, options.timezone)),
    startLimitsFor: createStartLimits(
      { perMinute: config.startLimitPerMinute, unfinished: config.unfinishedLimit },
      config.startLimits ?? [],
    ),
    refuseOverload: createOverloadGuard({
      limitsOf: (lane) => overloadLimitsOf(lane, overload),
      readLoads: async () => database.query(async (queries) => readLaneLoads(queries, countAtMost)),
    }),
    issueToken: entrance.issueToken,
    console: parts.console,
    checks: parts.checks,
  });
  const listener = createApp({
    ...shared,
    audit: parts.audit,
    traces: parts.traces,
    endpoints,
    authenticate: entrance.authenticate,
    noteCaller: createOwnerConfirmation({ schedules, webhooks, authorities, logger }),
    refusals: changes.refusals ?? createRefusalPace({ perSecond: config.refusalLimitPerSecond }),
    requestLimiter: createRequestLimiter({ perMinute: config.requestLimitPerMinute }),
    downloads,
    bodies: createBodyBudget({
      totalBytes: config.bodyBytesLimit,
      perPrincipalBytes: config.bodyBytesLimitPerPrincipal,
    }),
    trustedProxyHops: config.trustedProxyHops,
    checkResponses: changes.checkResponses ?? false,
  });
  return { listener, endpoints, catalogue: shared.catalogue, authorities, entrance, watches };
}

/** Previews and estimates, with limits of their own. */
function composePreviews(
  config: ApiConfig,
  { previews, metrics }: GatewayParts,
): Omit<ReportRowsDeps, "catalogue" | "now"> {
  return {
    previews,
    previewSlots: createListSlots(
      {
        perPrincipal: config.listLimitPerPrincipal,
        connections: config.previewConnections,
        deadlineMs: config.previewTimeoutSeconds * 1000,
      },
      metrics,
      previewKind,
    ),
    previewLimiter: createRequestLimiter({
      perMinute: config.previewLimitPerMinute,
      counted: { name: "previews", noun: "previews", code: "too-many-previews" },
    }),
  };
}
