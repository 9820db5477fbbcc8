import { defineReportTypes } from "@reports/core/report-type";
import { invoiceReport } from "./invoice.js";
import { stockLevelReport } from "./stock-level.js";

/** What the gateway loads. Importing it does nothing. */
export default defineReportTypes([
  { definition: invoiceReport, authority: "REPORT_INVOICE" },
  { definition: stockLevelReport, authority: "REPORT_STOCK_LEVEL" },
]);
