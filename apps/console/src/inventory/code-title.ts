import { findReportType } from "../shell/session.ts";
import type { Domain } from "@reports/client";
import { sentenceCase } from "../parts/text.ts";

export function codeTitle(reportType: "PROXY" | "PROXY_DOMAIN", field: string, value: string): string {
  return findReportType(reportType)?.columns.find(({ key }) => key === field)?.titles[value] ?? sentenceCase(value);
}

export function codeMeaning(reportType: "PROXY" | "PROXY_DOMAIN", field: string, value: string): string | undefined {
  return findReportType(reportType)?.columns.find(({ key }) => key === field)?.meanings[value];
}

export function tlsModeText({ tlsMode }: Domain): string {
  return tlsMode === "NONE" ? "No TLS" : codeTitle("PROXY_DOMAIN", "tlsMode", tlsMode);
}
