import type { Authorities } from "@reports/auth";
import type { Clock, FileStore, IdMaker, ReportCatalogue, ReportStore } from "@reports/core";
import type { Check, Logger, Metrics } from "@reports/runtime";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { collectionEndpoints } from "../resource/collection-endpoints.ts";
import type { MountedCollection } from "../resource/mounted-collection.ts";
import { patchReportEndpoint, removeReportEndpoint } from "./change-report.ts";
import { createReportEndpoint } from "./create-report.ts";
import { downloadFileEndpoint, downloadReportEndpoint } from "./download-report.ts";
import { openApiEndpoint } from "./openapi.ts";
import { operationsEndpoints } from "./operations.ts";
import { listReportFilesEndpoint } from "./report-files.ts";
import { reportTypesEndpoints } from "./report-types.ts";
import { listReportsEndpoint, readReportEndpoint } from "./reports.ts";
import { startReportEndpoint } from "./start-report.ts";

/** What all endpoints together need. */
export interface EndpointsDeps {
  readonly reports: ReportStore;
  readonly files: FileStore;
  readonly catalogue: ReportCatalogue;
  readonly authorities: Authorities;
  /** Proxies and whatever else is served by the resource framework. */
  readonly collections: readonly MountedCollection[];
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly basePath: string;
  readonly coalesceGetStarts: boolean;
  /** Readiness. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Every endpoint of the gateway. */
export function createEndpoints(deps: EndpointsDeps): readonly Endpoint[] {
  const endpoints = [
    startReportEndpoint(deps),
    downloadReportEndpoint(deps),
    listReportsEndpoint(deps),
    createReportEndpoint(deps),
    readReportEndpoint(deps),
    patchReportEndpoint(deps),
    removeReportEndpoint(deps),
    listReportFilesEndpoint(deps),
    downloadFileEndpoint(deps),
    ...reportTypesEndpoints(deps),
    ...collectionEndpoints(deps, deps.collections),
    ...operationsEndpoints(deps),
  ];
  return [...endpoints, openApiEndpoint(endpoints, deps)];
}
