// Exports for tests of a package of report types. `@public` marks exports that no code of this repository uses.

/** @public */
export type { ReportTypes } from "./report/types/define-report-types.ts";
/** @public */
export { checkReportTypes, findReportTypeProblems, type ReportTypesCheck } from "./testing/check-report-types.ts";
