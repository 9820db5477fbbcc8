import type { CallOptions, Retry } from "../call-options.ts";
import { GatewayError } from "../errors.ts";
import type { Token } from "../wire/generated/caller.ts";
import { readJsonResponse, unexpectedResponseError } from "./response.ts";
import { rejectOnAbort } from "./client-timing.ts";
import { runWithRetries } from "./retry.ts";
import { requireExpectedResponse, sendRequest, type Authorizer, type TransportOptions } from "./send.ts";

/** The name and password of a user of the gateway. */
export interface Credentials {
  readonly name: string;
  readonly password: string;
}

const renewalFraction = 0.8;

export function createCallbackAuthorizer(token: () => string | Promise<string>): Authorizer {
  const ask = async ({ signal }: CallOptions): Promise<string> =>
    bearerAuthorization(await rejectOnAbort((async () => token())(), signal));
  return { authorization: ask, renew: ask };
}

/**
 * Creates an authorizer that exchanges name and password for a token, once for all waiting requests, and renews it before it expires. If the
 * gateway issues no tokens, sends name and password as Basic authentication, but never unencrypted over a network. Calls `onToken` with every
 * token. docs/reference/resources/access.md#credentials.
 */
export function createCredentialsAuthorizer(
  wire: TransportOptions,
  { name, password }: Credentials,
  onToken?: (token: string) => void,
): Authorizer {
  const { pacing } = wire;
  // In Basic authentication, the password begins after the first colon (RFC 7617 §2).
  if (name.includes(":")) throw new TypeError("A user name cannot have a colon.");
  const basic = `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${password}`)))}`;
  let current: string | null = null;
  let renewAt = 0;
  let pending: Promise<string> | null = null;
  /** One listener per call that waits for the token. All of them are notified of each retry of the exchange. */
  const listeners = new Set<(retry: Retry) => void>();
  const onRetry = (retry: Retry): void => listeners.forEach((listener) => listener(retry));

  async function obtain(): Promise<string> {
    const askedAt = pacing.now();
    try {
      const token = await runWithRetries(pacing, { onRetry }, async () => requestToken(wire, basic));
      current = bearerAuthorization(token.access_token);
      renewAt = askedAt + token.expires_in * 1000 * renewalFraction;
      onToken?.(token.access_token);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== "path-not-found") throw error;
      requireEncryptedTransport(wire.baseUrl);
      current = basic;
      renewAt = Infinity;
    }
    return current;
  }

  async function authorization({ signal, onRetry: report }: CallOptions): Promise<string> {
    if (current !== null && pacing.now() < renewAt) return current;
    pending ??= obtain().finally(() => (pending = null));
    // Prevents an unhandled rejection if every caller that waits for this token has aborted.
    pending.catch(() => undefined);
    const { promise: failed, reject } = Promise.withResolvers<never>();
    // An error of one call's listener must not fail the token of the other calls.
    const listener = (retry: Retry): void => {
      try {
        report?.(retry);
      } catch (error) {
        reject(error);
      }
    };
    listeners.add(listener);
    return rejectOnAbort(Promise.race([pending, failed]), signal).finally(() => listeners.delete(listener));
  }

  return {
    authorization,
    async renew(options, refused) {
      if (refused === basic) return null;
      if (current === refused) current = null;
      return authorization(options);
    },
  };
}

async function requestToken(wire: TransportOptions, basic: string): Promise<Token> {
  const request = { method: "POST", path: ["tokens"] } as const;
  const response = await requireExpectedResponse(request, await sendRequest(wire, request, basic));
  const token = await readJsonResponse<Partial<Token> | null>(response);
  if (typeof token?.access_token !== "string" || typeof token.expires_in !== "number")
    throw unexpectedResponseError(response);
  return token as Token;
}

function bearerAuthorization(token: string): string {
  // For other characters, `fetch` rejects with an error whose message contains the token.
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
