import { defineReportTypes } from "@reports/core/report-type";
import { invoiceReport } from "./invoice.js";
import { stockLevelReport } from "./stock-level.js";

/** The report types that the API and the worker load. Importing this module only defines them. */
export default defineReportTypes([
  { definition: invoiceReport, authority: "REPORT_INVOICE" },
  { definition: stockLevelReport, authority: "REPORT_STOCK_LEVEL" },
]);
