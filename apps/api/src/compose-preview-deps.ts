import type { FilterValueLookup, PreviewReader, ReportPreviewReader } from "@reports/core/report";
import { reportTypeChoiceOf, type Logger, type Metrics } from "@reports/runtime";
import { createObjectPreviewReader } from "@reports/type-loader";
import type { ApiConfig } from "./config.ts";
import { createListConcurrencyLimiter, previewLimitNames } from "./limits/list-concurrency-limiter.ts";
import { createRequestLimiter } from "./limits/request-limiter.ts";
import type { EndpointsDeps } from "./routes/endpoints.ts";

/**
 * Adds previews of object rows to the previews of database rows. Only report types of packages can have previews of object rows, because a separate
 * process imports the package to read the rows.
 */
export function composePreviewReader(
  config: ApiConfig,
  databases: PreviewReader,
  environment: Readonly<Record<string, string>>,
  logger: Logger,
): ReportPreviewReader {
  if (!config.previewObjectRows || config.reportTypes.length === 0) return databases;
  const objects = createObjectPreviewReader({
    choice: reportTypeChoiceOf(config),
    environment,
    deadlineMs: config.previewTimeoutSeconds * 1000,
    onBroken: (reportType, cause) => logger.warn("a preview of object rows failed", { reportType, cause }),
  });
  return {
    ...databases,
    covers: (definition) => definition.rows.kind === "objects" || databases.covers(definition),
    readRows: async (request, signal) =>
      (request.definition.rows.kind === "objects" ? objects : databases).readRows(request, signal),
  };
}

export function composePreviewDeps(
  config: ApiConfig,
  previews: ReportPreviewReader,
  filterValues: FilterValueLookup,
  metrics: Metrics,
): EndpointsDeps["rows"] {
  return {
    previews,
    filterValues,
    previewSlots: createListConcurrencyLimiter(
      {
        perPrincipal: config.listLimitPerPrincipal,
        connections: config.previewConnections,
        deadlineMs: config.previewTimeoutSeconds * 1000,
      },
      metrics,
      previewLimitNames,
    ),
    previewLimiter: createRequestLimiter({
      perMinute: config.previewLimitPerMinute,
      counted: { name: "previews", noun: "previews", code: "too-many-previews" },
    }),
  };
}
