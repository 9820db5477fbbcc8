import type { RegisteredReportType } from "@reports/core/report";
import {
  ConfigurationError,
  reportTypeChoiceOf,
  type ConfigurationOf,
  type reportTypeVariables,
} from "@reports/runtime";
import { loadReportTypes } from "../load-report-types.ts";
import { ReportTypesError } from "../report-types-error.ts";

/** Loads the configured report types. First checks their packages in separate processes with `environment`. Rejects with ConfigurationError. */
export async function loadConfiguredReportTypes(
  config: ConfigurationOf<typeof reportTypeVariables>,
  environment: Readonly<Record<string, string>>,
): Promise<readonly RegisteredReportType[]> {
  try {
    return await loadReportTypes(reportTypeChoiceOf(config), { environment });
  } catch (error) {
    throw error instanceof ReportTypesError ? new ConfigurationError(error.problems) : error;
  }
}
