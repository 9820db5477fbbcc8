import { BlockList, isIPv4, isIPv6 } from "node:net";
import type { Logger } from "./log/logger.ts";

/** The destination of a connection that the process opens, and whether that connection is encrypted. `variable` names its environment variable. */
export interface ConfiguredDestination {
  readonly variable: string;
  /** The destination's host name, its address, or the path of its Unix socket. */
  readonly host: string;
  readonly isEncrypted: boolean;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

export function isLocalHost(host: string): boolean {
  if (isIPv4(host)) return loopback.check(host, "ipv4");
  if (isIPv6(host)) return loopback.check(host, "ipv6");
  return host.startsWith("/") || /^(.+\.)?localhost\.?$/i.test(host);
}

export function warnAboutPlaintext(transports: readonly ConfiguredDestination[], logger: Logger): void {
  for (const { variable, host, isEncrypted } of transports) {
    if (isEncrypted || isLocalHost(host)) continue;
    logger.warn("connections are not encrypted: their data can be read and changed in transit", {
      variable,
      host,
    });
  }
}

export function toHttpDestination(variable: string, url: string): ConfiguredDestination {
  const { protocol, hostname } = new URL(url);
  return { variable, host: hostname.replace(/^\[(.*)\]$/, "$1"), isEncrypted: protocol === "https:" };
}
