import { defineReportTypes } from "../types/define-report-types.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import { proxyDomainReport } from "./proxy-domain-report.ts";
import { proxyReport } from "./proxy-report.ts";

/** The registrations of PROXY and PROXY_DOMAIN: each definition with the authority that callers need for its reports. */
export const builtInRegistrations = defineReportTypes([
  { definition: proxyReport, authority: "REPORT_PROXY" },
  { definition: proxyDomainReport, authority: "REPORT_PROXY_DOMAIN" },
]);

/** The definitions of the built-in report types, without their authorities. */
export const builtInReportTypes: readonly ReportTypeDefinition[] = builtInRegistrations.reportTypes.map(
  ({ definition }) => definition,
);
