export { loadConfiguredReportTypes } from "./deployment/load-configured-report-types.ts";
export { runReportTypesCheck, UsageError, type ReportTypesCheckFlags } from "./deployment/run-report-types-check.ts";
