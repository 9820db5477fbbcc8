import { isIP } from "node:net";
import {
  schemeAndPortOf,
  isAddressAllowed,
  isHostAllowed,
  isAddressInAllowedRange,
  type Allowlist,
} from "./allowlist.ts";

const maxUrlLength = 2_000;
/**
 * Matches a user name, even an empty one, and an `@` before the host. The URL parser drops an empty user name, so the parsed URL does not show it.
 */
const userInfoPattern = /^[^/\\?#:]*:[/\\]*[^/\\?#@]*@/;

/**
 * Returns what is wrong with a URL ("must …"), or null for an allowed one. It does not resolve the host name, because the agent checks the address
 * of each connection.
 */
export function findOutboundUrlProblem(text: string, allowlist: Allowlist): string | null {
  const url = text.length > maxUrlLength ? null : URL.parse(text);
  if (url === null) return `must be an absolute URL of at most ${maxUrlLength} characters.`;
  const host = hostWithoutBrackets(url);
  const access = schemeAndPortOf(url);
  const isKnown =
    isHttp(url) && (isHostAllowed(allowlist, host, access) || isAddressInAllowedRange(allowlist, host, access));
  if (url.protocol !== "https:" && !isKnown) return "must begin with https://.";
  if (url.username !== "" || url.password !== "" || userInfoPattern.test(text))
    return "must not hold a name or a password.";
  if (url.hash !== "" || text.includes("#")) return "must not have a fragment.";
  if (/^\.|\.\./.test(host)) return "must name a host.";
  if (isKnown) return null;
  if (url.port !== "") return "must have no port: 443 is used.";
  if (isIP(host) !== 0 && !isAddressAllowed(allowlist, host, access))
    return "must not lead to an address that is not public.";
  if (/(^|\.)localhost\.?$/.test(host)) return "must not lead to this machine.";
  return null;
}

export function hostWithoutBrackets(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

function isHttp({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "http:";
}
