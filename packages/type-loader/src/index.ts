export { redirectOutput } from "./redirect-output.ts";
export { importReportTypes, loadReportTypes, type ReportTypeChoice } from "./load-report-types.ts";
export { createObjectPreviews } from "./preview-objects.ts";
export { ReportTypesError } from "./report-types-error.ts";
export { tlsTrustVariables, selectTypesEnvironment } from "./types-environment.ts";
