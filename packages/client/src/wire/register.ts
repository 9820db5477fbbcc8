import type {
  AdminState,
  CertKeyType,
  DomainStatus,
  Environment,
  Health,
  ProxyKind,
  ProxyProtocol,
  ProxySoftware,
  TlsMinVersion,
  TlsMode,
  UpstreamScheme,
} from "./enumerations.ts";

/** A proxy of the register. Times are RFC 3339 in UTC. docs/contract.md §1.3. */
export interface Proxy {
  /** UUIDv7; the server's. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly ownerTeam: string | null;
  readonly contactEmail: string | null;
  readonly tags: readonly string[];
  readonly kind: ProxyKind;
  readonly software: ProxySoftware;
  readonly softwareVersion: string | null;
  /** Host name (A-label form), IPv4 or IPv6 address. */
  readonly address: string;
  readonly port: number;
  readonly protocol: ProxyProtocol;
  readonly region: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string | null;
  readonly environment: Environment;
  readonly adminState: AdminState;
  /** What probes saw last. */
  readonly health: Health;
  readonly lastCheckedAt: string | null;
  /** Milliseconds. */
  readonly latencyMsP95: number | null;
  readonly maxConnections: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A domain that a proxy serves. docs/contract.md §1.4. */
export interface Domain {
  /** UUIDv7; the server's. */
  readonly id: string;
  readonly proxyId: string;
  /** In its Unicode form. */
  readonly hostname: string;
  /** In its A-label form; made from `hostname`. */
  readonly hostnameAscii: string;
  readonly pathPrefix: string;
  readonly status: DomainStatus;
  readonly upstreamScheme: UpstreamScheme;
  readonly upstreamHost: string;
  readonly upstreamPort: number;
  readonly tlsMode: TlsMode;
  readonly tlsMinVersion: TlsMinVersion | null;
  readonly certIssuer: string | null;
  readonly certKeyType: CertKeyType | null;
  readonly certNotBefore: string | null;
  readonly certNotAfter: string | null;
  /** 64 lower-case hexadecimal digits. */
  readonly certFingerprintSha256: string | null;
  readonly httpsForced: boolean;
  readonly hstsEnabled: boolean;
  readonly http2Enabled: boolean;
  readonly requests24h: number | null;
  readonly bytesOut24h: number | null;
  /** A share from 0 to 1. */
  readonly errorRate5xx24h: number | null;
  readonly lastCheckedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A record as it is written: what is required, and of the rest what is to differ from its default. */
type Written<Item, Required extends keyof Item> = Pick<Item, Required> & {
  readonly [Field in Exclude<keyof Item, Required>]?: Item[Field] | undefined;
};

/** A proxy to create, or to put in place of one. The server's own fields may stand in it as they were read. */
export type ProxyInput = Written<Proxy, "name" | "kind" | "address" | "port" | "protocol">;
/** A domain to create, or to put in place of one. The server's own fields may stand in it as they were read. */
export type DomainInput = Written<Domain, "hostname" | "upstreamScheme" | "upstreamHost" | "upstreamPort" | "tlsMode">;

/** A merge patch (RFC 7396): null takes a field back to its default. */
export type Patch<Item> = { readonly [Field in keyof Item]?: Item[Field] | null | undefined };
