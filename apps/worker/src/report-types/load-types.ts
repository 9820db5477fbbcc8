import type { RegisteredReportType } from "@reports/core";
import {
  ConfigurationError,
  reportTypeChoiceOf,
  type ConfigurationOf,
  type reportTypeVariables,
} from "@reports/runtime";
import { loadReportTypes, ReportTypesError } from "@reports/type-loader";

/**
 * The report types of this deployment. Rejects with ConfigurationError, which lists everything that is wrong with their packages.
 * @param rendererEnvironment in which they are tried, because their functions will run in it.
 */
export async function loadTypes(
  config: ConfigurationOf<typeof reportTypeVariables>,
  rendererEnvironment: Readonly<Record<string, string>>,
): Promise<readonly RegisteredReportType[]> {
  try {
    return await loadReportTypes(reportTypeChoiceOf(config), { environment: rendererEnvironment });
  } catch (error) {
    throw error instanceof ReportTypesError ? new ConfigurationError(error.problems) : error;
  }
}
