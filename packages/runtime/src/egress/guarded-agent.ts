import type { LookupAddress, LookupOptions } from "node:dns";
import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { accessOf, isAddressAllowed, isHostAllowed, type Access, type Allowance } from "./allowance.ts";

/** An address to which the service may not connect. Its message names none. */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
  readonly code = "ADDRESS_FORBIDDEN";
  constructor() {
    super("The address is not one that the service may connect to.");
  }
}

/** Finds all addresses of a name, as `lookup` of node:dns does. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How connections are made. */
export interface GuardedAgentOptions {
  readonly allowance: Allowance;
  /** How long a connection may take, TLS included. */
  readonly connectTimeoutMs: number;
  readonly lookup: Lookup;
}

/**
 * An HTTP client that connects to public addresses by https on port 443 and to what is allowed, and to nothing else. Names are checked by the
 * address to which the connection is made, so that DNS rebinding has no effect; literals are checked
 * separately, because they are never looked up. It follows no redirects, uses no proxies of the environment and keeps no connections.
 */
export function createGuardedAgent({ allowance, connectTimeoutMs, lookup }: GuardedAgentOptions): Agent {
  return new Agent({
    // No connection serves a second request: each is judged.
    pipelining: 0,
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[(.*)\]$/, "$1");
      const access = accessOf({ protocol: options.protocol, port: options.port });
      if (isIP(host) !== 0 && !isAddressAllowed(allowance, host, access))
        return callback(new ForbiddenAddressError(), null);
      const connector = buildConnector({
        timeout: connectTimeoutMs,
        allowH2: false,
        maxCachedSessions: 0,
        lookup: guardedLookup(allowance, access, lookup),
      } as buildConnector.BuildOptions);
      connector(options, callback);
    },
  });
}

function guardedLookup(allowance: Allowance, access: Access, lookup: Lookup): Lookup {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const allowed = isHostAllowed(allowance, hostname, access)
        ? addresses
        : addresses.filter(({ address }) => isAddressAllowed(allowance, address, access));
      if (allowed.length === 0) return done(new ForbiddenAddressError(), []);
      // Callers that ask for one get the first.
      if (options.all) return done(null, allowed);
      const [first] = allowed as [LookupAddress];
      (done as unknown as (error: null, address: string, family: number) => void)(null, first.address, first.family);
    });
  };
}
