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
