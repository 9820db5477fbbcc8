import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const givenOut = ipaddr.IPv6.parse("2000::");

type Address = ReturnType<typeof ipaddr.process>;

/** Where the service may send to beside public addresses: hosts by their names, and ranges of addresses. */
export interface Allowance {
  /** Lower-case names without a dot at their end. */
  readonly hosts: ReadonlySet<string>;
  readonly ranges: readonly (readonly [Address, number])[];
}

/** Allows nothing but public addresses. */
export const noAllowance: Allowance = { hosts: new Set(), ranges: [] };

const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;

/** Reads hosts, addresses and CIDR ranges; tells `onWrong` of each text that is none of them. */
export function readAllowance(entries: readonly string[], onWrong: (entry: string) => void): Allowance {
  const hosts = new Set<string>();
  const ranges: (readonly [Address, number])[] = [];
  for (const entry of entries) {
    const text = entry.toLowerCase();
    if (isIP(text) !== 0) {
      const address = ipaddr.process(text);
      ranges.push([address, address.kind() === "ipv4" ? 32 : 128]);
    } else if (ipaddr.isValidCIDR(text)) ranges.push(ipaddr.parseCIDR(text));
    else if (hostName.test(text) && !/^[\d.]+$/.test(text)) hosts.add(text);
    else onWrong(entry);
  }
  return { hosts, ranges };
}

/** Whether a name is allowed, whatever it leads to. */
export function isHostAllowed(allowance: Allowance, host: string): boolean {
  return allowance.hosts.has(host.toLowerCase().replace(/\.$/, ""));
}

/** Whether an address lies in an allowed range. */
export function isRangeAllowed(allowance: Allowance, address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return allowance.ranges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}

/**
 * Whether an address may be connected to: public unicast, or allowed. IPv4 inside of IPv6 is judged as what it is; what cannot be read as an
 * address is forbidden.
 */
export function isAddressAllowed(allowance: Allowance, address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  return isPublic(parsed) || isRangeAllowed(allowance, address);
}

/** Of IPv6 what IANA gives out, 2000::/3: what it does not, such as `::7f00:1`, is unicast for ipaddr.js, too. */
function isPublic(address: Address): boolean {
  return address.range() === "unicast" && (address.kind() === "ipv4" || address.match(givenOut, 3));
}

/** An address in the one spelling of this system; zones and the spellings of inet_aton, which others read differently, are none. */
function parseAddress(address: string): Address | null {
  return isIP(address) === 0 || address.includes("%") ? null : ipaddr.process(address);
}
