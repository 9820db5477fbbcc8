import { DomainError } from "@reports/core/base";
import type { EndpointRequest } from "./endpoint-request.ts";

type Headers = Pick<EndpointRequest, "header">;

/** Media types that a page of any site may send without asking (Fetch standard, CORS-safelisted). */
const simpleTypes: readonly string[] = ["", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

/** Refuses pages of another site or host, to which browsers may add Basic credentials, even hosts of the same site. */
export function refuseCrossSite(request: Headers, consequence: string): void {
  if (!isCrossSite(request)) return;
  throw new DomainError(
    "forbidden",
    "cross-site-refused",
    `A request from a page of another site or host ${consequence}.`,
  );
}

function isCrossSite({ header }: Headers): boolean {
  const site = header("sec-fetch-site")?.toLowerCase();
  if (site !== undefined) return ["cross-site", "same-site"].includes(site);
  // Browsers omit that header for http. They ask first (CORS) unless the request is simple.
  const origin = header("origin");
  const [type = ""] = (header("content-type") ?? "").toLowerCase().split(";", 1);
  if (origin === undefined || !simpleTypes.includes(type.trim())) return false;
  // A page cannot set X-Forwarded-Host without asking.
  return ![header("host"), header("x-forwarded-host")].includes(hostOf(origin));
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : "";
}
