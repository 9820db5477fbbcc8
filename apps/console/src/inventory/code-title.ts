import type { Domain } from "@reports/client";
import { sentenceCase } from "../parts/text.ts";
import { findReportType } from "./inventory-list.ts";

export function codeTitle(reportType: "PROXY" | "PROXY_DOMAIN", field: string, value: string): string {
  return findReportType(reportType)?.columns.find(({ key }) => key === field)?.titles[value] ?? sentenceCase(value);
}

export function tlsModeText({ tlsMode }: Domain): string {
  return tlsMode === "NONE" ? "No TLS" : codeTitle("PROXY_DOMAIN", "tlsMode", tlsMode);
}
