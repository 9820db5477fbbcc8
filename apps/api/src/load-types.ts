import { authorityRule, isAuthority, type RegisteredReportType } from "@reports/core";
import {
  ConfigurationError,
  reportTypeChoiceOf,
  type ConfigurationOf,
  type EnvironmentText,
  type reportTypeVariables,
} from "@reports/runtime";
import { loadReportTypes, ReportTypesError, typesEnvironment } from "@reports/type-loader";

/** The report types of this deployment. Rejects with ConfigurationError, which lists everything that is wrong with their packages. */
export async function loadTypes(
  config: ConfigurationOf<typeof reportTypeVariables>,
  environment: EnvironmentText,
): Promise<readonly RegisteredReportType[]> {
  try {
    return await loadReportTypes(reportTypeChoiceOf(config), {
      environment: typesEnvironment(environment, config.reportTypesEnvironmentPrefix),
    });
  } catch (error) {
    throw error instanceof ReportTypesError ? new ConfigurationError(error.problems) : error;
  }
}

/**
 * Throws ConfigurationError where another authority is given to a type that is not served, or one that is none.
 * @param overrides type → authority, of AUTH_REPORT_AUTHORITIES.
 */
export function checkOverrides(
  overrides: Readonly<Record<string, string>> = {},
  types: readonly RegisteredReportType[],
): void {
  const served = types.map(({ definition }) => definition.type);
  const problems = Object.entries(overrides).flatMap(([type, authority]) => [
    ...(served.includes(type) ? [] : [`${type} is not a report type of this deployment: ${served.join(", ")} are`]),
    ...(isAuthority(authority) ? [] : [`the authority of ${type} must be ${authorityRule}`]),
  ]);
  if (problems.length === 0) return;
  throw new ConfigurationError(problems.map((message) => ({ variable: "AUTH_REPORT_AUTHORITIES", message })));
}
