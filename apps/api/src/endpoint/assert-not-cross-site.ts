import { DomainError } from "@reports/core/base";
import type { EndpointRequest } from "./endpoint-request.ts";

type RequestHeaders = Pick<EndpointRequest, "header">;

/** Media types of requests that a page may send to another site without a CORS preflight (Fetch standard, CORS-safelisted). */
const simpleTypes: readonly string[] = ["", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

/** Throws 403 for requests from pages of another site or host. A browser may add the user's stored Basic credentials to such requests. */
export function assertNotCrossSite(request: RequestHeaders, consequence: string): void {
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
  // Over plain HTTP, browsers omit Sec-Fetch-Site. There, only requests without a CORS preflight need this check.
  const origin = header("origin");
  const [type = ""] = (header("content-type") ?? "").toLowerCase().split(";", 1);
  if (origin === undefined || !simpleTypes.includes(type.trim())) return false;
  // X-Forwarded-Host can be trusted here, because a page can set it only after a CORS preflight.
  return ![header("host"), header("x-forwarded-host")].includes(parseHost(origin));
}

function parseHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : "";
}
