import { keysOf } from "../base/keys-of.ts";

// Lists of values of a proxy. Where a list has titles, they are for readers of pdf and xlsx.

/** What a proxy does: takes requests for servers, sends requests of clients, or passes connections on. */
export const proxyKindTitles = { REVERSE: "Reverse", FORWARD: "Forward", STREAM: "Stream" } as const;
export const proxyKinds = keysOf(proxyKindTitles);
export type ProxyKind = (typeof proxyKinds)[number];

export const proxySoftwareTitles = {
  NGINX: "nginx",
  HAPROXY: "HAProxy",
  CADDY: "Caddy",
  TRAEFIK: "Traefik",
  ENVOY: "Envoy",
  SQUID: "Squid",
  OTHER: "Other",
} as const;
export const proxySoftwares = keysOf(proxySoftwareTitles);
export type ProxySoftware = (typeof proxySoftwares)[number];

/** Protocols that clients speak to the proxy. */
export const proxyProtocols = ["HTTP", "HTTPS", "TCP", "SOCKS5"] as const;
export type ProxyProtocol = (typeof proxyProtocols)[number];

export const environmentTitles = { PROD: "Production", STAGING: "Staging", DEV: "Development" } as const;
export const environments = keysOf(environmentTitles);

/** States that the operators want a proxy to be in. */
export const adminStateTitles = {
  ENABLED: "Enabled",
  DISABLED: "Disabled",
  DRAINING: "Draining",
  MAINTENANCE: "Maintenance",
} as const;
export const adminStates = keysOf(adminStateTitles);

/** States that probes see. */
export const healthTitles = { UP: "Up", DEGRADED: "Degraded", DOWN: "Down", UNKNOWN: "Unknown" } as const;
export const healths = keysOf(healthTitles);
export type Health = (typeof healths)[number];
