import type { RegisteredReportType } from "@reports/core";
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
