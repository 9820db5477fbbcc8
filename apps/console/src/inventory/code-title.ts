import type { Domain } from "@reports/client";
import { sentenceCase } from "../parts/text.ts";
import { typeOf } from "./inventory-list.ts";

export function codeTitle(reportType: "PROXY" | "PROXY_DOMAIN", field: string, value: string): string {
  return typeOf(reportType)?.columns.find(({ key }) => key === field)?.titles[value] ?? sentenceCase(value);
}

export function tlsText({ tlsMode }: Domain): string {
  return tlsMode === "NONE" ? "No TLS" : codeTitle("PROXY_DOMAIN", "tlsMode", tlsMode);
}
