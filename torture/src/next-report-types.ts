import { defineReportTypes } from "@reports/core/report-type";
import { nextType } from "./report-types.ts";

/** @public What REPORT_TYPES names exports its types by default. */
// oxlint-disable-next-line import/no-default-export
export default defineReportTypes([nextType]);
