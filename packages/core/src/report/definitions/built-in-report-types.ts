import { defineReportTypes } from "../types/define-report-types.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import { proxyDomainReport } from "./proxy-domain-report.ts";
import { proxyReport } from "./proxy-report.ts";

/** The built-in report types with their authorities, defined as in any other package. */
export const builtInRegistrations = defineReportTypes([
  { definition: proxyReport, authority: "REPORT_PROXY" },
  { definition: proxyDomainReport, authority: "REPORT_PROXY_DOMAIN" },
]);

/** The definitions of the built-in report types. */
export const builtInReportTypes: readonly ReportTypeDefinition[] = builtInRegistrations.reportTypes.map(
  ({ definition }) => definition,
);
