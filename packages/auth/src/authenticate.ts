import { DomainError } from "@reports/core/base";
import type { BasicVerifier, LoginCheckResult } from "./verify-basic.ts";
import type { BearerVerifier } from "./verify-bearer.ts";
import type { Principal } from "./principal.ts";

export interface AuthenticationContext {
  /** IP address of the caller, in normal form. Failed logins are counted per address. */
  readonly address: string;
  /** Whether only a name and a password are accepted. `POST /v1/tokens` sets it, so that a token cannot be exchanged for a newer token. */
  readonly basicOnly: boolean;
  /** Called for each login whose password is checked against its hash, but not for credentials in the cache. */
  readonly onLogin: (login: LoginCheckResult) => void;
}

/**
 * Returns the caller that an `Authorization` header names. Rejects with DomainError("unauthenticated"), with RateLimitedError after too many
 * failed logins, and with StoreUnavailableError if users cannot be read.
 */
export type Authenticate = (authorization: string | undefined, context: AuthenticationContext) => Promise<Principal>;

/** Value of `WWW-Authenticate` in every 401. It lists both schemes, even if the caller tried only one (RFC 9110 §11.6.1). */
export const authenticationChallenges = 'Bearer realm="reports", Basic realm="reports", charset="UTF-8"';

export function createAuthenticator(verifiers: {
  readonly bearer?: BearerVerifier;
  readonly basic?: BasicVerifier;
}): Authenticate {
  return async (authorization, context) => {
    if (authorization === undefined || authorization === "") {
      throw new DomainError(
        "unauthenticated",
        "credentials-missing",
        context.basicOnly
          ? "A user name and a password are required: send an Authorization header with Basic credentials."
          : "Credentials are required: send an Authorization header, either Bearer or Basic.",
      );
    }
    const [, scheme, credentials] = /^([A-Za-z]+) +([^\s,]+) *$/.exec(authorization) ?? [];
    const principal = credentials === undefined ? null : await verify(scheme?.toLowerCase(), credentials, context);
    if (principal === null) {
      throw new DomainError(
        "unauthenticated",
        "credentials-invalid",
        "The credentials are not valid: the token, the user name or the password is wrong, or the token has expired.",
      );
    }
    return principal;
  };

  async function verify(
    scheme: string | undefined,
    credentials: string,
    { address, basicOnly, onLogin }: AuthenticationContext,
  ): Promise<Principal | null> {
    if (scheme === "bearer" && !basicOnly) return (await verifiers.bearer?.(credentials)) ?? null;
    if (scheme === "basic") return (await verifiers.basic?.(credentials, address, onLogin)) ?? null;
    return null;
  }
}
