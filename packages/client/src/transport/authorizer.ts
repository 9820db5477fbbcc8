import { GatewayError } from "../errors.ts";
import type { Token } from "../wire/generated/caller.ts";
import { jsonOf, unexpectedResponse } from "./response.ts";
import { unlessAborted } from "./pacing.ts";
import { retrying } from "./retry.ts";
import { checkResponse, sendRequest, type Authorizer, type Wire } from "./send.ts";

/** A name and a password that the gateway knows. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
}

/** The part of a token's life after which it is renewed. */
const renewalFraction = 0.8;

/** Asks the callback for every request, and once more where its token is refused. */
export function callbackAuthorizer(token: () => string | Promise<string>): Authorizer {
  const ask = async (signal: AbortSignal | undefined): Promise<string> =>
    bearer(await unlessAborted((async () => token())(), signal));
  return { authorization: ask, renew: ask };
}

/**
 * Exchanges name and password for a token, once for all who wait for it, and renews it before it expires. A gateway that gives no tokens
 * is sent them as Basic, but not in the clear over a network. docs/reference/resources/access.md#credentials.
 */
export function credentialsAuthorizer(wire: Wire, { name, password }: Credentials): Authorizer {
  const { pacing } = wire;
  // RFC 7617 §2.
  if (name.includes(":")) throw new TypeError("A user name cannot have a colon.");
  const basic = `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${password}`)))}`;
  let current: string | null = null;
  let renewAt = 0;
  let pending: Promise<string> | null = null;

  async function obtain(): Promise<string> {
    const askedAt = pacing.now();
    try {
      const token = await retrying(pacing, undefined, async () => requestToken(wire, basic));
      current = bearer(token.access_token);
      renewAt = askedAt + token.expires_in * 1000 * renewalFraction;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "path-not-found") throw error;
      requireEncryptedTransport(wire.baseUrl);
      current = basic;
      renewAt = Infinity;
    }
    return current;
  }

  async function authorization(signal: AbortSignal | undefined): Promise<string> {
    if (current !== null && pacing.now() < renewAt) return current;
    pending ??= obtain().finally(() => (pending = null));
    // Whoever leaves, leaves the others their token.
    pending.catch(() => undefined);
    return unlessAborted(pending, signal);
  }

  return {
    authorization,
    async renew(signal, refused) {
      if (refused === basic) return null;
      if (current === refused) current = null;
      return authorization(signal);
    },
  };
}

async function requestToken(wire: Wire, basic: string): Promise<Token> {
  const request = { method: "POST", path: ["tokens"] } as const;
  const response = await checkResponse(request, await sendRequest(wire, request, basic));
  const token = await jsonOf<Partial<Token> | null>(response);
  if (typeof token?.access_token !== "string" || typeof token.expires_in !== "number")
    throw unexpectedResponse(response);
  return token as Token;
}

function bearer(token: string): string {
  // What a header cannot hold would come back within the message of an error.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("The token is empty or has forbidden characters.");
  return `Bearer ${token}`;
}

function requireEncryptedTransport(baseUrl: string): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:" || /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return;
  throw new TypeError(
    `There are no tokens at ${baseUrl}, and a password is not sent with every request over http: use https.`,
  );
}
