import type { LookupAddress, LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { schemeAndPortOf, isAddressAllowed, isHostAllowed, type SchemeAndPort, type Allowlist } from "./allowlist.ts";

/**
 * Thrown for a connection to a forbidden address. The message does not contain the address, because callers could learn internal addresses from it.
 */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
  readonly code = "ADDRESS_FORBIDDEN";
  constructor() {
    super("The address is not one that the service may connect to.");
  }
}

/** A DNS lookup with the signature of `lookup` in node:dns with the option `all: true`. */
export type DnsLookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface GuardedAgentOptions {
  readonly allowlist: Allowlist;
  /** Time limit until a connection is open, including the TLS handshake. */
  readonly connectTimeoutMs: number;
  readonly lookup: DnsLookup;
}

/**
 * Creates an HTTP client that connects only to public addresses by https on port 443 and to allowed destinations. It checks the address to which
 * it connects, so DNS rebinding has no effect. It checks IP addresses in URLs separately, because they are never looked up. It follows no
 * redirects, ignores proxy variables and keeps no connections open.
 */
export function createGuardedAgent({ allowlist, connectTimeoutMs, lookup }: GuardedAgentOptions): Agent {
  return new Agent({
    // No connection is reused or pipelined, so each request checks the address of its own connection.
    pipelining: 0,
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[(.*)\]$/, "$1");
      const access = schemeAndPortOf({ protocol: options.protocol, port: options.port });
      if (isIP(host) !== 0 && !isAddressAllowed(allowlist, host, access))
        return callback(new ForbiddenAddressError(), null);
      const connector = buildConnector({
        timeout: connectTimeoutMs,
        allowH2: false,
        maxCachedSessions: 0,
        lookup: createGuardedLookup(allowlist, access, lookup),
      } as buildConnector.BuildOptions);
      connector(options, callback);
    },
  });
}

function createGuardedLookup(allowlist: Allowlist, access: SchemeAndPort, lookup: DnsLookup): DnsLookup {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const allowed = isHostAllowed(allowlist, hostname, access)
        ? addresses
        : addresses.filter(({ address }) => isAddressAllowed(allowlist, address, access));
      if (allowed.length === 0) return done(new ForbiddenAddressError(), []);
      // Without `all`, the caller of `lookup` expects a single address.
      if (options.all) return done(null, allowed);
      const [first] = allowed as [LookupAddress];
      (done as unknown as (error: null, address: string, family: number) => void)(null, first.address, first.family);
    });
  };
}
