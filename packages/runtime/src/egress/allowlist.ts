import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { cloudServiceRanges } from "./cloud-service-ranges.ts";

const globalUnicast = ipaddr.IPv6.parse("2000::");

type IpAddress = ReturnType<typeof ipaddr.process>;
type AddressRange = readonly [IpAddress, number];

export interface SchemeAndPort {
  readonly scheme: "http" | "https";
  readonly port: number;
}

/** Scheme and port with which every public address may be reached. Also the default of entries that name neither. */
export const defaultSchemeAndPort: SchemeAndPort = { scheme: "https", port: 443 };

/** Host names and address ranges to which the service may connect in addition to public addresses. */
export interface Allowlist {
  /** Lower-case host names without a final dot. */
  readonly hosts: readonly (SchemeAndPort & { readonly host: string })[];
  readonly ranges: readonly (SchemeAndPort & { readonly range: AddressRange })[];
}

export const emptyAllowlist: Allowlist = { hosts: [], ranges: [] };

const hostNamePattern = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;
const entryPattern =
  /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::(?<port>.*))?$/s;

/** Reads entries of host names, addresses and CIDR ranges with optional scheme and port. Reports each wrong entry to `onWrong`, with the reason. */
export function parseAllowlist(entries: readonly string[], onWrong: (entry: string, why: string) => void): Allowlist {
  const hosts: Allowlist["hosts"][number][] = [];
  const ranges: Allowlist["ranges"][number][] = [];
  for (const entry of entries) {
    const read = readEntry(entry.toLowerCase());
    if (typeof read === "string") onWrong(entry, read);
    else if ("host" in read) hosts.push(read);
    else ranges.push(read);
  }
  return { hosts, ranges };
}

function readEntry(text: string): Allowlist["hosts"][number] | Allowlist["ranges"][number] | string {
  const bare = readRange(text);
  if (bare !== null) return addAccess(defaultSchemeAndPort, bare);
  const { scheme = "https", bracketed, plain = "", port } = entryPattern.exec(text)?.groups ?? {};
  if (scheme !== "http" && scheme !== "https") return "its scheme must be http or https";
  if (/[?#@]|\/(?!\d+$)/.test(plain)) return "it must have no path, query or user";
  if (port !== undefined && (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535))
    return bracketed === undefined && text.split(":").length > 3
      ? "an IPv6 address with a scheme or a port must be in brackets"
      : "its port must be a number from 1 to 65535, with nothing behind it";
  const access: SchemeAndPort = { scheme, port: port === undefined ? (scheme === "http" ? 80 : 443) : Number(port) };
  const range = readRange(bracketed ?? plain);
  if (bracketed !== undefined && range?.[0].kind() !== "ipv6")
    return "only an address or a range of IPv6 is in brackets";
  if (range !== null) return addAccess(access, range);
  if (!hostNamePattern.test(plain) || /^[\d.]+$/.test(plain))
    return "it is neither a host name nor an address nor a range";
  return { ...access, host: plain };
}

function addAccess(access: SchemeAndPort, range: AddressRange): Allowlist["ranges"][number] | string {
  const [address] = range;
  // The check compares IPv4-mapped addresses as IPv4, so a range of them would match nothing.
  if (address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress())
    return "a range of IPv4 must be written as IPv4";
  return { ...access, range };
}

function readRange(text: string): AddressRange | null {
  if (ipaddr.isValidCIDR(text)) return isIP(text.replace(/\/.*/s, "")) === 0 ? null : ipaddr.parseCIDR(text);
  const address = parseAddress(text);
  return address && [address, address.kind() === "ipv4" ? 32 : 128];
}

export function schemeAndPortOf(url: Pick<URL, "protocol" | "port">): SchemeAndPort {
  const scheme = url.protocol === "http:" ? "http" : "https";
  return { scheme, port: url.port === "" ? (scheme === "http" ? 80 : 443) : Number(url.port) };
}

function isSameAccess(left: SchemeAndPort, right: SchemeAndPort): boolean {
  return left.scheme === right.scheme && left.port === right.port;
}

/** Reports whether an entry allows this host name, whichever addresses the name has. */
export function isHostAllowed(allowlist: Allowlist, name: string, access: SchemeAndPort): boolean {
  const host = name.toLowerCase().replace(/\.$/, "");
  return allowlist.hosts.some((each) => each.host === host && isSameAccess(each, access));
}

export function isAddressInAllowedRange(allowlist: Allowlist, address: string, access: SchemeAndPort): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return allowlist.ranges.some((each) => isSameAccess(each, access) && isInRange(parsed, each.range));
}

/** Reports whether the service may connect to an address: a public one by https on port 443, or one in an allowed range. */
export function isAddressAllowed(allowlist: Allowlist, address: string, access: SchemeAndPort): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return (
    (isSameAccess(access, defaultSchemeAndPort) && isPublic(parsed)) ||
    isAddressInAllowedRange(allowlist, address, access)
  );
}

/**
 * Reports whether an address is public. An IPv6 address is public only in 2000::/3, although ipaddr.js also calls others unicast, such as
 * `::7f00:1`.
 */
function isPublic(address: IpAddress): boolean {
  if (address.range() !== "unicast" || cloudServiceRanges.some((range) => isInRange(address, range))) return false;
  return address.kind() === "ipv4" || (address.match(globalUnicast, 3) && !isIsatap(address as ipaddr.IPv6));
}

/**
 * Reports whether an IPv6 address is an ISATAP address. A router forwards it to the IPv4 address in its last 32 bits, under any prefix (RFC
 * 5214, section 6.1).
 */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

function isInRange(address: IpAddress, [range, bits]: AddressRange): boolean {
  return address.kind() === range.kind() && address.match(range, bits);
}

/** Parses an address. Returns null for addresses with a zone, and for spellings such as `127.1`, which other parsers read differently. */
function parseAddress(address: string): IpAddress | null {
  return isIP(address) === 0 || address.includes("%") ? null : ipaddr.process(address);
}
