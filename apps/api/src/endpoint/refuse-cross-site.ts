import { DomainError } from "@reports/core/base";
import type { EndpointRequest } from "./endpoint-request.ts";

type RequestHeaders = Pick<EndpointRequest, "header">;

/** Media types that a page can send to another site without a CORS preflight (Fetch standard, CORS-safelisted). */
const simpleTypes: readonly string[] = ["", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

/** Refuses requests from pages of another site or host. A browser may add stored Basic credentials to such requests. */
export function refuseCrossSite(request: RequestHeaders, consequence: string): void {
  if (!isCrossSite(request)) return;
  throw new DomainError(
    "forbidden",
    "cross-site-refused",
    `A request from a page of another site or host ${consequence}.`,
  );
}

function isCrossSite({ header }: RequestHeaders): boolean {
  const site = header("sec-fetch-site")?.toLowerCase();
  if (site !== undefined) return ["cross-site", "same-site"].includes(site);
  // Browsers omit Sec-Fetch-Site for http. They send a CORS preflight unless the request is simple.
  const origin = header("origin");
  const [type = ""] = (header("content-type") ?? "").toLowerCase().split(";", 1);
  if (origin === undefined || !simpleTypes.includes(type.trim())) return false;
  // A page cannot set X-Forwarded-Host without a CORS preflight.
  return ![header("host"), header("x-forwarded-host")].includes(parseHost(origin));
}

function parseHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : "";
}
