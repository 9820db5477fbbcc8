import { isIP, isIPv4 } from "node:net";

/**
 * Returns the address to which a request is attributed. Each trusted proxy appends the address that it saw to X-Forwarded-For, and the caller
 * may have invented every entry before those. If an entry is not an address, the request is attributed to the proxy that forwarded it.
 */
export function findClientAddress(
  connection: { readonly remoteAddress: string | undefined; readonly forwardedFor: string | undefined },
  trustedHops: number,
): string {
  const forwarded = trustedHops === 0 ? [] : (connection.forwardedFor ?? "").split(",").map((part) => part.trim());
  const chain = [...forwarded.slice(-trustedHops), connection.remoteAddress ?? ""];
  for (const part of chain) {
    const address = toCanonicalAddress(part);
    if (address !== null) return address;
  }
  return "unknown";
}

/**
 * Returns an address without port and zone, and IPv4-mapped IPv6 as IPv4. Returns null for text that is not an address. Some proxies append the
 * port to the address.
 */
function toCanonicalAddress(text: string): string | null {
  const [, bracketed, withoutPort = text] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const bare = (bracketed ?? withoutPort).split("%", 1)[0]!;
  if (isIP(bare) === 0) return null;
  if (isIPv4(bare)) return bare;
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (mapped === null) return short;
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/**
 * Returns the key under which failures of an address are counted: an IPv4 address, or an IPv6 network (/64), because one caller can use all of
 * it.
 */
export function throttleKeyOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return `${[...before, ...(address.includes("::") ? zeros : []), ...after].slice(0, 4).join(":")}::/64`;
}
