import { createCatalogue, type RegisteredReportType, type ReportCatalogue } from "@reports/core/report";
import { findUnusableReportTypes, findRelationProblems, readRequeuedCounts } from "@reports/db";
import { ConfigurationError } from "@reports/runtime";
import type { WorkerDatabases } from "../compose-databases.ts";
import { createSourceMetric } from "../sources/source-metric.ts";
import type { WorkerContext } from "../worker-parts.ts";
import { registerTypeMetrics } from "./type-metrics.ts";
import { createTypeWatch, type TypeWatch } from "./type-watch.ts";

export function composeCatalogue(reportTypes: readonly RegisteredReportType[]): ReportCatalogue {
  const definitions = reportTypes.map(({ definition }) => definition);
  const problems = findRelationProblems(definitions);
  if (problems.length > 0)
    throw new ConfigurationError(problems.map((message) => ({ variable: "REPORT_TYPES", message })));
  return createCatalogue(definitions);
}

export function composeTypeWatch(base: WorkerContext, { database, sources }: WorkerDatabases): TypeWatch {
  const { metrics, logger, clocks } = base;
  const definitions = base.catalogue.list();
  const sourceWatch = createSourceMetric(metrics, definitions);
  const watch = createTypeWatch({
    check: async () => sourceWatch.note(await findUnusableReportTypes(definitions, sources)),
    period: clocks.reportTypes,
    logger,
  });
  registerTypeMetrics(metrics, { reasons: watch.reasons, awaiting: async () => database.query(readRequeuedCounts) });
  return watch;
}
