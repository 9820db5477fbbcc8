export { redirectStdoutToStderr } from "./redirect-stdout-to-stderr.ts";
export { importReportTypes, loadReportTypes, type ReportTypeChoice } from "./load-report-types.ts";
export { createObjectPreviewReader } from "./preview-objects.ts";
export { ReportTypesError } from "./report-types-error.ts";
export { tlsTrustVariables, selectReportTypeEnvironment } from "./types-environment.ts";
