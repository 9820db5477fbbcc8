// Exports for tests of a package of report types. `@public` marks exports that only code outside of this repository may use.

/** @public What is checked. */
export type { ReportTypes } from "./report/types/define-report-types.ts";
/** @public The check. */
export { checkReportTypes, findReportTypeProblems, type ReportTypesCheck } from "./testing/check-report-types.ts";
