import { findReportType } from "../shell/session.ts";
import type { Domain } from "@reports/client";
import { toSentenceCase } from "../parts/text.ts";

export function findValueTitle(reportType: "PROXY" | "PROXY_DOMAIN", field: string, value: string): string {
  return findReportType(reportType)?.columns.find(({ key }) => key === field)?.titles[value] ?? toSentenceCase(value);
}

export function findValueMeaning(
  reportType: "PROXY" | "PROXY_DOMAIN",
  field: string,
  value: string,
): string | undefined {
  return findReportType(reportType)?.columns.find(({ key }) => key === field)?.meanings[value];
}

export function formatTlsMode({ tlsMode }: Domain): string {
  return tlsMode === "NONE" ? "No TLS" : findValueTitle("PROXY_DOMAIN", "tlsMode", tlsMode);
}
