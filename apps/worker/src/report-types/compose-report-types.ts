import { createCatalogue, type RegisteredReportType, type ReportCatalogue } from "@reports/core/report";
import { findUnusableReportTypes, findRelationProblems, readRequeuedCounts } from "@reports/db";
import { ConfigurationError } from "@reports/runtime";
import type { WorkerDatabases } from "../compose-databases.ts";
import { createReachabilityMetric } from "../sources/source-reachability-metric.ts";
import type { WorkerContext } from "../worker-parts.ts";
import { registerReportTypeMetrics } from "./type-metrics.ts";
import { createReportTypeWatch, type ReportTypeWatch } from "./report-type-watch.ts";

export function composeCatalogue(reportTypes: readonly RegisteredReportType[]): ReportCatalogue {
  const definitions = reportTypes.map(({ definition }) => definition);
  const problems = findRelationProblems(definitions);
  if (problems.length > 0)
    throw new ConfigurationError(problems.map((message) => ({ variable: "REPORT_TYPES", message })));
  return createCatalogue(definitions);
}

export function composeReportTypeWatch(base: WorkerContext, { database, sources }: WorkerDatabases): ReportTypeWatch {
  const { metrics, logger, clocks } = base;
  const definitions = base.catalogue.list();
  const sourceWatch = createReachabilityMetric(metrics, definitions);
  const watch = createReportTypeWatch({
    check: async () => sourceWatch.note(await findUnusableReportTypes(definitions, sources)),
    period: clocks.reportTypes,
    logger,
  });
  registerReportTypeMetrics(metrics, {
    reasons: watch.reasons,
    awaiting: async () => database.query(readRequeuedCounts),
  });
  return watch;
}
