// For tests of a package of report types. Nothing in this repository has to import it: hence @public.

/** @public What is checked. */
export type { ReportTypes } from "./report/types/define-report-types.ts";
/** @public The check. */
export { checkReportTypes, findReportTypeProblems, type ReportTypesCheck } from "./testing/check-report-types.ts";
