import type { Authorities } from "@reports/auth";
import type { Clock, FileStore, IdMaker, ReportCatalogue, ReportStore } from "@reports/core";
import type { Check, Logger, Metrics } from "@reports/runtime";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { createReportEndpoint } from "./create-report.ts";
import { downloadFileEndpoint, downloadReportEndpoint } from "./download-report.ts";
import { operationsEndpoints } from "./operations.ts";
import { reportTypesEndpoints } from "./report-types.ts";
import { listReportsEndpoint, readReportEndpoint } from "./reports.ts";
import { startReportEndpoint } from "./start-report.ts";

/** What all endpoints together need. */
export interface EndpointsDeps {
  readonly reports: ReportStore;
  readonly files: FileStore;
  readonly catalogue: ReportCatalogue;
  readonly authorities: Authorities;
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
  return [
    startReportEndpoint(deps),
    downloadReportEndpoint(deps),
    listReportsEndpoint(deps),
    createReportEndpoint(deps),
    readReportEndpoint(deps),
    downloadFileEndpoint(deps),
    ...reportTypesEndpoints(deps),
    ...operationsEndpoints(deps),
  ];
}
