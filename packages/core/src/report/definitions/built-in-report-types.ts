import { defineReportTypes } from "../types/define-report-types.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import { proxyDomainReport } from "./proxy-domain-report.ts";
import { proxyReport } from "./proxy-report.ts";

export const builtInRegistrations = defineReportTypes([
  { definition: proxyReport, authority: "REPORT_PROXY" },
  { definition: proxyDomainReport, authority: "REPORT_PROXY_DOMAIN" },
]);

export const builtInReportTypes: readonly ReportTypeDefinition[] = builtInRegistrations.reportTypes.map(
  ({ definition }) => definition,
);
