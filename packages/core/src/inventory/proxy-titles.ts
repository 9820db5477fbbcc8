import type { AdminState, Environment, Health, ProxyKind, ProxySoftware } from "./proxy.ts";

/** What the codes of a proxy mean, for readers of pdf and xlsx. */
export const proxyKindTitles = {
  REVERSE: "Reverse",
  FORWARD: "Forward",
  STREAM: "Stream",
} as const satisfies Readonly<Record<ProxyKind, string>>;

export const proxySoftwareTitles = {
  NGINX: "nginx",
  HAPROXY: "HAProxy",
  CADDY: "Caddy",
  TRAEFIK: "Traefik",
  ENVOY: "Envoy",
  SQUID: "Squid",
  OTHER: "Other",
} as const satisfies Readonly<Record<ProxySoftware, string>>;

export const environmentTitles = {
  PROD: "Production",
  STAGING: "Staging",
  DEV: "Development",
} as const satisfies Readonly<Record<Environment, string>>;

export const adminStateTitles = {
  ENABLED: "Enabled",
  DISABLED: "Disabled",
  DRAINING: "Draining",
  MAINTENANCE: "Maintenance",
} as const satisfies Readonly<Record<AdminState, string>>;

export const healthTitles = {
  UP: "Up",
  DEGRADED: "Degraded",
  DOWN: "Down",
  UNKNOWN: "Unknown",
} as const satisfies Readonly<Record<Health, string>>;
