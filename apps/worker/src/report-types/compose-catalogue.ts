import { createCatalogue, type RegisteredReportType, type ReportCatalogue } from "@reports/core";
import { findRelationProblems } from "@reports/db";
import { ConfigurationError } from "@reports/runtime";

/** The catalogue of the deployment's report types. Throws ConfigurationError where rows come from a relation that the database package does not know so. */
export function composeCatalogue(reportTypes: readonly RegisteredReportType[]): ReportCatalogue {
  const definitions = reportTypes.map(({ definition }) => definition);
  const problems = findRelationProblems(definitions);
  if (problems.length > 0)
    throw new ConfigurationError(problems.map((message) => ({ variable: "REPORT_TYPES", message })));
  return createCatalogue(definitions);
}
