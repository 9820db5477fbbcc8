/** What a proxy does: takes requests for servers, sends requests of clients, or passes connections on. */
export const proxyKinds = ["REVERSE", "FORWARD", "STREAM"] as const;
export type ProxyKind = (typeof proxyKinds)[number];

export const proxySoftwares = ["NGINX", "HAPROXY", "CADDY", "TRAEFIK", "ENVOY", "SQUID", "OTHER"] as const;
export type ProxySoftware = (typeof proxySoftwares)[number];

/** What clients speak to the proxy. */
export const proxyProtocols = ["HTTP", "HTTPS", "TCP", "SOCKS5"] as const;
export type ProxyProtocol = (typeof proxyProtocols)[number];

export const environments = ["PROD", "STAGING", "DEV"] as const;
export type Environment = (typeof environments)[number];

/** What its operators want of a proxy. */
export const adminStates = ["ENABLED", "DISABLED", "DRAINING", "MAINTENANCE"] as const;
export type AdminState = (typeof adminStates)[number];

/** What probes saw last. */
export const healths = ["UP", "DEGRADED", "DOWN", "UNKNOWN"] as const;
export type Health = (typeof healths)[number];

/**
 * One proxy of the register. docs/contract.md §1.3.
 * Required at creation are `name`, `kind`, `address`, `port` and `protocol`; the default of every other field stands beside it.
 */
export interface Proxy {
  /** UUIDv7; the server's. */
  readonly id: string;
  /** 1-63 characters of `[a-z0-9-]`, unique among the living. */
  readonly name: string;
  /** At most 2,000 characters, line breaks allowed. Default: empty. */
  readonly description: string;
  /** At most 100 characters. Default: null. */
  readonly ownerTeam: string | null;
  /** At most 254 characters. Default: null. */
  readonly contactEmail: string | null;
  /** At most 20 different ones of 1-63 characters. Default: none. */
  readonly tags: readonly string[];
  readonly kind: ProxyKind;
  /** Default: OTHER. */
  readonly software: ProxySoftware;
  /** At most 64 characters. Default: null. */
  readonly softwareVersion: string | null;
  /** Host name in its A-label form, IPv4 in dotted decimal, or IPv6 as RFC 5952 writes it. Unique together with `port` among the living. */
  readonly address: string;
  /** 1-65535. */
  readonly port: number;
  readonly protocol: ProxyProtocol;
  /** At most 63 characters. Default: null. */
  readonly region: string | null;
  /** ISO 3166-1 alpha-2, upper case. Default: null. */
  readonly countryCode: string | null;
  /** Default: PROD. */
  readonly environment: Environment;
  /** Default: ENABLED. */
  readonly adminState: AdminState;
  /** Default: UNKNOWN. */
  readonly health: Health;
  /** When a probe looked last. Default: null. */
  readonly lastCheckedAt: Date | null;
  /** Whole milliseconds, 0 to 2^31-1. Default: null. */
  readonly latencyMsP95: number | null;
  /** 1 to 2^31-1. Default: null, no limit known. */
  readonly maxConnections: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
