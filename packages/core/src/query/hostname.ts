import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";

const maxOctets = 253;
// Limits the work on hostile input. A longer name is valid only if UTS #46 removes most of its characters, such as soft hyphens.
const maxInputLength = 1024;
// Characters that the URL parser in domainToASCII decodes, cuts off, or does not read as part of a host.
const forbiddenCharacters = /[\p{Cc}\s%/\\?#@:[\]<>^|{}"`]/u;
const numericEndProblem = "ends in a label that is a number, which only IP addresses do";
const ldhLabelPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

export type HostnameParseResult =
  | { readonly ok: true; readonly ascii: string; readonly unicode: string }
  | { readonly ok: false; readonly reason: string };

/** Rules for host names: the least number of labels (default 2), and whether a leading `*.` is allowed (default true). */
export interface HostnameParseOptions {
  readonly minLabels?: number;
  readonly wildcard?: boolean;
}

/**
 * Reads a host name by UTS #46 (non-transitional) and RFC 1123: at most 253 octets, labels of 1 to 63 letters, digits and inner hyphens. Removes a
 * trailing dot. Refuses IP addresses and a number as last label.
 */
export function parseHostname(text: string, options: HostnameParseOptions = {}): HostnameParseResult {
  const { minLabels = 2, wildcard = true } = options;
  if (text === "") return refuseHostname("is empty");
  if (text.length > maxInputLength) return refuseHostname(`is longer than ${maxOctets} octets`);
  if (isIPv4(text) || isIPv6(text.replace(/^\[|\]$/g, ""))) return refuseHostname("is an IP address, not a host name");
  const isWildcard = text.startsWith("*.");
  if (isWildcard && !wildcard) return refuseHostname("has a wildcard, which is not allowed here");
  const name = isWildcard ? text.slice(2) : text;
  if (name.includes("*")) return refuseHostname("has a wildcard (*) other than as its whole first label");
  if (forbiddenCharacters.test(name) || !name.isWellFormed()) {
    return refuseHostname("has a character that is not a letter, digit, hyphen or dot");
  }
  const ascii = domainToASCII(name).replace(/\.$/, "");
  // If the last label is a number, the URL parser in domainToASCII expects an IPv4 address and returns an empty text.
  if (ascii === "")
    return refuseHostname(endsInNumber(name) ? numericEndProblem : "has a label that UTS #46 does not allow");
  const prefix = isWildcard ? "*." : "";
  const problem = findHostnameProblem(ascii, prefix.length, minLabels);
  if (problem !== null) return refuseHostname(problem);
  const unicode = domainToUnicode(ascii);
  // domainToUnicode leaves a label in `xn--` form that it cannot decode. Another encoding of the same name would be a second name of one host.
  if (unicode.split(".").some((label) => label.startsWith("xn--")) || domainToASCII(unicode) !== ascii) {
    return refuseHostname("has a label beginning with xn-- that is not valid Punycode");
  }
  return { ok: true, ascii: prefix + ascii, unicode: prefix + unicode };
}

export function hostnameToAscii(text: string, options?: HostnameParseOptions): string | null {
  const result = parseHostname(text, options);
  return result.ok ? result.ascii : null;
}

/** Returns an IPv4 address unchanged, an IPv6 address as in RFC 5952, and a host name in ASCII; null for other text. */
export function normaliseHost(text: string): string | null {
  if (isIPv4(text)) return text;
  if (isIPv6(text) && !text.includes("%")) return new URL(`http://[${text}]`).hostname.slice(1, -1);
  return hostnameToAscii(text, { minLabels: 1, wildcard: false });
}

function refuseHostname(problem: string): HostnameParseResult {
  return { ok: false, reason: problem };
}

function endsInNumber(name: string): boolean {
  return /(?:^|[.。])(?:\d+|0x[\da-f]*)\.?$/i.test(name.normalize("NFKC"));
}

function findHostnameProblem(ascii: string, prefixLength: number, minLabels: number): string | null {
  const labels = ascii.split(".");
  if (prefixLength + ascii.length > maxOctets) return `is longer than ${maxOctets} octets`;
  if (labels.some((label) => label === "")) return "has an empty label";
  if (labels.some((label) => label.length > 63)) return "has a label longer than 63 octets";
  if (labels.some((label) => label.startsWith("-") || label.endsWith("-"))) {
    return "has a label that begins or ends with a hyphen";
  }
  if (!labels.every((label) => ldhLabelPattern.test(label))) {
    return "has a character that is not a letter, digit, hyphen or dot";
  }
  if (/^\d+$/.test(labels.at(-1)!)) return numericEndProblem;
  if (labels.length < minLabels) return `has fewer than ${minLabels} labels`;
  return null;
}
