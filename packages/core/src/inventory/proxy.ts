import { keysOf } from "../base/keys-of.ts";

// Allowed values of a proxy's fields. Files in pdf and xlsx show a value by its title, and explain the title by its meaning.

export const proxyKindTitles = { REVERSE: "Reverse", FORWARD: "Forward", STREAM: "Stream" } as const;
export const proxyKinds = keysOf(proxyKindTitles);
export type ProxyKind = (typeof proxyKinds)[number];
export const proxyKindMeanings = {
  REVERSE: "The proxy accepts requests for servers.",
  FORWARD: "The proxy sends requests of clients.",
  STREAM: "The proxy forwards connections.",
} as const satisfies Readonly<Record<ProxyKind, string>>;

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

export const proxyProtocols = ["HTTP", "HTTPS", "TCP", "SOCKS5"] as const;
export type ProxyProtocol = (typeof proxyProtocols)[number];

export const environmentTitles = { PROD: "Production", STAGING: "Staging", DEV: "Development" } as const;
export const environments = keysOf(environmentTitles);

export const adminStateTitles = {
  ENABLED: "Enabled",
  DISABLED: "Disabled",
  DRAINING: "Draining",
  MAINTENANCE: "Maintenance",
} as const;
export const adminStates = keysOf(adminStateTitles);

/** States that the latest probe reported. A proxy that was never probed is UNKNOWN. */
export const healthTitles = { UP: "Up", DEGRADED: "Degraded", DOWN: "Down", UNKNOWN: "Unknown" } as const;
export const healths = keysOf(healthTitles);
export type Health = (typeof healths)[number];
export const healthMeanings = { UNKNOWN: "No probe has reported the health of the proxy." } as const;
