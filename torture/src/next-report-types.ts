import { defineReportTypes } from "@reports/core/report-type";
import { newerVersionType } from "./report-types.ts";

/** @public Report types of a newer version. A module that REPORT_TYPES names exports its types as default. */
// oxlint-disable-next-line import/no-default-export
export default defineReportTypes([newerVersionType]);
