import type { Domain } from "@reports/client";
import { wordOf } from "../parts/text.ts";
import { typeOf } from "./register-list.ts";

/** A code as the documents show it: by the title that the report type of the same records gives it. */
export function wordOfValue(reportType: "PROXY" | "PROXY_DOMAIN", field: string, value: string): string {
  return typeOf(reportType)?.columns.find(({ key }) => key === field)?.titles[value] ?? wordOf(value);
}

/** How a domain is encrypted. */
export function tlsText({ tlsMode }: Domain): string {
  return tlsMode === "NONE" ? "No TLS" : wordOfValue("PROXY_DOMAIN", "tlsMode", tlsMode);
}
