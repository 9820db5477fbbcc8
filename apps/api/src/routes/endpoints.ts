import type { Authorities, KeySetState, ReportAccess, TokenIssuer } from "@reports/auth";
import type { Clock, FileStore, IdMaker, ReportLane, StoreIdentity, StoreState } from "@reports/core/base";
import type {
  DownloadLinkStore,
  FileRemovals,
  FileSuspicions,
  LinkThrottle,
  Report,
  ReportCatalogue,
  ReportLists,
  ReportStore,
  ReportWatches,
  StartDeps,
} from "@reports/core/report";
import type { Check, Logger, Metrics } from "@reports/runtime";
import type { ApiClocks } from "../clocks.ts";
import { consoleEndpoints } from "../console/console-endpoints.ts";
import type { ConsoleSite } from "../console/console-site.ts";
import { declareProblems } from "../endpoint/declare-problems.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { ListSlots } from "../limits/list-slots.ts";
import type { StartLimitsFor } from "../limits/start-limits.ts";
import { collectionEndpoints } from "../resource/collection-endpoints.ts";
import type { MountedCollection } from "../resource/mounted-collection.ts";
import { readCallerEndpoint } from "./caller.ts";
import { patchReportEndpoint, removeReportEndpoint } from "./change-report.ts";
import { createReportEndpoint } from "./create-report.ts";
import { downloadLinksEndpoints } from "./download-links.ts";
import { downloadFileEndpoint, downloadReportEndpoint } from "./download-report.ts";
import { listReportEventsEndpoint } from "./events.ts";
import { declareReportAccess } from "./declare-report-access.ts";
import { followLinkEndpoint } from "./follow-link.ts";
import { createFileMismatchNotes } from "./note-file-mismatch.ts";
import { openApiEndpoints } from "./openapi.ts";
import { operationsEndpoints } from "./operations.ts";
import { problemsEndpoints } from "./problems.ts";
import { reportFilesEndpoints } from "./report-files.ts";
import { queueEndpoints, type QueueDeps } from "./queue.ts";
import { reportRowsEndpoints, type ReportRowsDeps } from "./report-rows.ts";
import { reportTypesEndpoints } from "./report-types.ts";
import { listReportsEndpoint, readReportEndpoint } from "./reports.ts";
import { reportSchedulesEndpoints, type SchedulesDeps } from "./report-schedules.ts";
import { scheduleFiresEndpoints, type ScheduleFiresDeps } from "./schedule-fires.ts";
import { startReportEndpoint } from "./start-report.ts";
import { createTokenEndpoint } from "./tokens.ts";
import type { WebhooksDeps } from "./webhooks/webhook-access.ts";
import { webhooksEndpoints } from "./webhooks/webhooks-endpoints.ts";

/** What all endpoints together need. */
export interface EndpointsDeps extends ReportRowsDeps, QueueDeps {
  readonly reports: ReportStore;
  readonly reportLists: ReportLists;
  /** Of every list, whatever it is of. */
  readonly lists: ListSlots;
  readonly files: FileStore;
  readonly suspicions: FileSuspicions;
  readonly identity: Pick<StoreIdentity, "assert">;
  /** The state of the file store; readiness reports it but does not depend on it. */
  readonly storeState: () => StoreState;
  /** Undefined where no issuer is configured. */
  readonly issuerKeysState: (() => KeySetState) | undefined;
  readonly removals: FileRemovals;
  readonly watches: ReportWatches;
  readonly clocks: ApiClocks;
  readonly catalogue: ReportCatalogue;
  readonly authorities: Authorities;
  readonly reportAccess: ReportAccess;
  /** Proxies and whatever else is served by the resource framework. */
  readonly collections: readonly MountedCollection[];
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly links: DownloadLinkStore;
  readonly linkThrottle: LinkThrottle;
  readonly schedules: SchedulesDeps["schedules"];
  readonly calendar: SchedulesDeps["calendar"];
  readonly minMinutes: SchedulesDeps["minMinutes"];
  readonly confirmDays: ScheduleFiresDeps["confirmDays"];
  /** Whether the one who made a link may still have the report. */
  readonly mayStillRead: (principalId: string, report: Report) => Promise<boolean>;
  /** 0: there are no links. */
  readonly linkMaxSeconds: number;
  /** What links begin with, in front of the base path; empty for none. */
  readonly publicUrl: string;
  readonly basePath: string;
  /** Null: there are none. */
  readonly webhooks: WebhooksDeps["webhooks"] | null;
  readonly coalesceGetStarts: boolean;
  readonly startLimitsFor: StartLimitsFor;
  /** Refuses starts for the load that waits. */
  readonly refuseOverload: (lane: ReportLane) => Promise<void>;
  readonly chooseLane?: NonNullable<StartDeps["chooseLane"]>;
  /** Left out: there is no secret to sign tokens with, and no endpoint that issues them. */
  readonly issueToken?: TokenIssuer | undefined;
  /** Null: there is no console. */
  readonly console: ConsoleSite | null;
  /** Readiness. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Every endpoint of the gateway. */
export function createEndpoints(deps: EndpointsDeps): readonly Endpoint[] {
  const downloads = { ...deps, onFileMismatch: createFileMismatchNotes(deps) };
  const endpoints = [
    startReportEndpoint(deps),
    downloadReportEndpoint(downloads),
    listReportsEndpoint(deps),
    createReportEndpoint(deps),
    readReportEndpoint(deps),
    patchReportEndpoint(deps),
    removeReportEndpoint(deps),
    listReportEventsEndpoint(deps),
    ...reportFilesEndpoints(deps),
    downloadFileEndpoint(downloads),
    ...(deps.linkMaxSeconds === 0 ? [] : [...downloadLinksEndpoints(downloads), followLinkEndpoint(downloads)]),
    ...reportTypesEndpoints(deps),
    ...reportRowsEndpoints(deps),
    ...queueEndpoints(deps),
    ...reportSchedulesEndpoints(deps),
    ...scheduleFiresEndpoints(deps),
    ...collectionEndpoints(deps, deps.collections),
    ...webhooksEndpoints(deps),
    ...(deps.issueToken === undefined ? [] : [createTokenEndpoint({ issueToken: deps.issueToken })]),
    readCallerEndpoint(),
    ...problemsEndpoints(deps),
    ...operationsEndpoints(deps),
  ].map((endpoint) => declareProblems(declareReportAccess(endpoint, deps.catalogue)));
  // Pages are no part of what programs are told.
  const pages = deps.console === null ? [] : consoleEndpoints(deps.console);
  return [...endpoints, ...[...openApiEndpoints(endpoints, deps), ...pages].map(declareProblems)];
}
