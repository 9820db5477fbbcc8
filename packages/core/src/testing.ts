// What the tests of a package of report types import. Nobody in this repository has to: hence @public.

/** @public What is checked. */
export type { ReportTypes } from "./report/types/define-report-types.ts";
/** @public The check. */
export { checkReportTypes, findReportTypeProblems, type ReportTypesCheck } from "./testing/check-report-types.ts";
