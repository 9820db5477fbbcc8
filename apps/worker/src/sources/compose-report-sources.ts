import { mainReportSource, type ReportSources, type ReportTypeDefinition } from "@reports/core/report";
import { findSourcesSharingSessions, sharedSessionsProblem } from "@reports/db";
import { ConfigurationError, reportSourcesOf, sourceUrlVariableName, type Logger } from "@reports/runtime";
import type { WorkerConfig } from "../config.ts";

/** Returns the configured sources. Throws ConfigurationError if a report type needs one that is not configured. */
export function selectReportSources(
  config: Pick<WorkerConfig, "databaseUrl" | "reportDatabaseUrl" | "reportSources">,
  definitions: readonly Pick<ReportTypeDefinition, "type" | "rows">[],
): ReportSources {
  const databaseUrl = config.databaseUrl.reveal();
  const sources: ReportSources = {
    ...reportSourcesOf(config),
    [mainReportSource]: {
      url: config.reportDatabaseUrl?.reveal() ?? databaseUrl,
      primaryUrl: databaseUrl,
      engine: "postgres",
    },
  };
  const problems = definitions.flatMap(({ type, rows }) => {
    if (rows.kind !== "view" || rows.source === undefined || Object.hasOwn(sources, rows.source)) return [];
    return [
      { variable: "REPORT_SOURCES", message: `must name ${rows.source}, from which the report type ${type} reads` },
    ];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return sources;
}

/** Rejects with ConfigurationError if a pooler shares database sessions between clients of a source. Sources that are down are only logged. */
export async function assertDedicatedSessions(
  sources: ReportSources,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { [mainReportSource]: main, ...others } = sources;
  // `waitUntilDatabaseIsReady` has already checked DATABASE_URL, which is the main source unless REPORT_DATABASE_URL is set.
  const checked = main === undefined || main.url === main.primaryUrl ? others : sources;
  const shared = await findSourcesSharingSessions(checked, {
    signal,
    onUnreachable: (source, error) => logger.warn("a source of report rows cannot be reached", { source, error }),
  });
  if (shared.length === 0) return;
  throw new ConfigurationError(
    shared.map((name) => ({
      variable: name === mainReportSource ? "REPORT_DATABASE_URL" : sourceUrlVariableName(name),
      message: sharedSessionsProblem,
    })),
  );
}
