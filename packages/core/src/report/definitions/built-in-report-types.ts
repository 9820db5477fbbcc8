import type { ReportTypeDefinition } from "../report-type.ts";
import { proxyDomainReport } from "./proxy-domain.ts";
import { proxyReport } from "./proxy.ts";

/** The report types that come with the gateway. */
export const builtInReportTypes: readonly ReportTypeDefinition[] = [proxyReport, proxyDomainReport];
