import type { AuthorityLookup, ReportAccess, TokenIssuer } from "@reports/auth";
import type { Clock, FileStore, IdMaker } from "@reports/core/base";
import type {
  FileRemovalDeps,
  SuspiciousFileRecorder,
  ReportCatalogue,
  ReportLists,
  ReportStore,
  ReportWatches,
} from "@reports/core/report";
import type { Logger, Metrics } from "@reports/runtime";
import type { ApiTimings } from "../clocks.ts";
import { consoleEndpoints } from "../console/console-endpoints.ts";
import type { ConsoleSite } from "../console/console-site.ts";
import { addProblemResponses } from "../endpoint/add-problem-responses.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { ListConcurrencyLimiter } from "../limits/list-concurrency-limiter.ts";
import { collectionEndpoints } from "../resource/collection-endpoints.ts";
import type { ServedCollection } from "../resource/collection-with-store.ts";
import { readCallerEndpoint } from "./caller.ts";
import { patchReportEndpoint, removeReportEndpoint } from "./change-report.ts";
import { createReportEndpoint } from "./create-report.ts";
import { downloadLinksEndpoints, type DownloadLinksDeps } from "./download-links.ts";
import { downloadReportFileEndpoint, legacyDownloadEndpoint } from "./download-report.ts";
import { listReportEventsEndpoint } from "./events.ts";
import { addReportAccessDeclarations } from "./add-report-access-declarations.ts";
import { filterValuesEndpoint } from "./filter-values.ts";
import { followLinkEndpoint, type FollowLinkDeps } from "./follow-link.ts";
import { createFileMismatchRecorder } from "./note-file-mismatch.ts";
import { openApiEndpoints } from "./openapi.ts";
import { healthAndMetricsEndpoints, type HealthAndMetricsDeps } from "./operations.ts";
import { problemsEndpoints } from "./problems.ts";
import { reportFilesEndpoints } from "./report-files.ts";
import { queueEndpoints, type QueueDeps } from "./queue.ts";
import { reportRowsEndpoints, type ReportRowsDeps } from "./report-rows.ts";
import { reportTypesEndpoints } from "./report-types.ts";
import { listReportsEndpoint, readReportEndpoint } from "./reports.ts";
import { reportSchedulesEndpoints } from "./report-schedules.ts";
import { listScheduleTimesEndpoint } from "./schedule-times.ts";
import { scheduleRunsEndpoints, type ScheduleRunsDeps } from "./schedule-runs.ts";
import { securityContactEndpoint } from "./security-contact.ts";
import { legacyStartEndpoint } from "./start-report.ts";
import type { StartRouteDeps } from "./create-start-reply.ts";
import { createTokenEndpoint } from "./tokens.ts";
import type { WebhooksDeps } from "./webhooks/webhook-access.ts";
import { webhooksEndpoints } from "./webhooks/webhooks-endpoints.ts";

export interface SharedEndpointDeps {
  readonly catalogue: ReportCatalogue;
  readonly authorities: AuthorityLookup;
  readonly reportAccess: ReportAccess;
  readonly reports: ReportStore;
  readonly watches: ReportWatches;
  readonly lists: ListConcurrencyLimiter;
  readonly clocks: ApiTimings;
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly basePath: string;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface EndpointsDeps {
  readonly base: SharedEndpointDeps;
  readonly reportLists: ReportLists;
  readonly starts: WithoutBase<StartRouteDeps> & { readonly coalesceGetStarts: boolean };
  readonly files: FileRemovalDeps & { readonly files: FileStore; readonly suspicions: SuspiciousFileRecorder };
  /** Null: download links are off (LINK_MAX_SECONDS=0). */
  readonly links: Omit<WithoutBase<DownloadLinksDeps & FollowLinkDeps>, "files" | "identity" | "onFileMismatch"> | null;
  readonly rows: WithoutBase<ReportRowsDeps>;
  readonly queue: QueueDeps;
  readonly schedules: Omit<WithoutBase<ScheduleRunsDeps>, keyof StartRouteDeps>;
  readonly collections: readonly ServedCollection[];
  /** Null: webhooks are off, because WEBHOOK_KEY is not set. */
  readonly webhooks: WebhooksDeps["webhooks"] | null;
  readonly operations: WithoutBase<HealthAndMetricsDeps>;
  /** Undefined: without AUTH_JWT_SECRET, the API issues no tokens. */
  readonly issueToken: TokenIssuer | undefined;
  /** Null: the API serves no console. */
  readonly console: ConsoleSite | null;
  /** Undefined: /.well-known/security.txt does not exist. */
  readonly securityContact: string | undefined;
}

type WithoutBase<Deps> = Omit<Deps, keyof SharedEndpointDeps>;

export function createEndpoints(deps: EndpointsDeps): readonly Endpoint[] {
  const { base, links, issueToken } = deps;
  const starts = { ...base, ...deps.starts };
  const files = { ...base, ...deps.files };
  const downloads = { ...files, onFileMismatch: createFileMismatchRecorder(files) };
  const schedules = { ...starts, ...deps.schedules };
  const endpoints = [
    legacyStartEndpoint(starts),
    legacyDownloadEndpoint(downloads),
    listReportsEndpoint({ ...base, reportLists: deps.reportLists }),
    createReportEndpoint(starts),
    readReportEndpoint(base),
    patchReportEndpoint(files),
    removeReportEndpoint(files),
    listReportEventsEndpoint(base),
    ...reportFilesEndpoints({ ...starts, ...files }),
    downloadReportFileEndpoint(downloads),
    ...(links === null
      ? []
      : [...downloadLinksEndpoints({ ...downloads, ...links }), followLinkEndpoint({ ...downloads, ...links })]),
    ...reportTypesEndpoints({ ...base, previews: deps.rows.previews }),
    ...reportRowsEndpoints({ ...base, ...deps.rows }),
    filterValuesEndpoint(deps.rows),
    ...queueEndpoints(deps.queue),
    ...reportSchedulesEndpoints(schedules),
    ...scheduleRunsEndpoints(schedules),
    listScheduleTimesEndpoint(schedules),
    ...collectionEndpoints(base, deps.collections),
    ...webhooksEndpoints({ ...base, webhooks: deps.webhooks }),
    ...(issueToken === undefined ? [] : [createTokenEndpoint({ issueToken })]),
    readCallerEndpoint(),
    ...problemsEndpoints(base),
    ...healthAndMetricsEndpoints({ ...base, ...deps.operations }),
  ].map((endpoint) => addProblemResponses(addReportAccessDeclarations(endpoint, base.catalogue)));
  const pages = [
    ...(deps.console === null ? [] : consoleEndpoints(deps.console)),
    ...(deps.securityContact === undefined ? [] : [securityContactEndpoint(deps.securityContact)]),
  ];
  return [...endpoints, ...[...openApiEndpoints(endpoints, base), ...pages].map(addProblemResponses)];
}
