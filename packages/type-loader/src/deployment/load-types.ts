import type { RegisteredReportType } from "@reports/core/report";
import {
  ConfigurationError,
  reportTypeChoiceOf,
  type ConfigurationOf,
  type reportTypeVariables,
} from "@reports/runtime";
import { loadReportTypes } from "../load-report-types.ts";
import { ReportTypesError } from "../report-types-error.ts";

/**
 * The report types of this deployment. Rejects with ConfigurationError, which lists everything that is wrong with their packages.
 * @param environment in which they are tried: typesEnvironment, or that in which their functions will run.
 */
export async function loadTypes(
  config: ConfigurationOf<typeof reportTypeVariables>,
  environment: Readonly<Record<string, string>>,
): Promise<readonly RegisteredReportType[]> {
  try {
    return await loadReportTypes(reportTypeChoiceOf(config), { environment });
  } catch (error) {
    throw error instanceof ReportTypesError ? new ConfigurationError(error.problems) : error;
  }
}
