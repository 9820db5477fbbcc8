import { DomainError } from "@reports/core/base";
import type { BasicVerifier, CheckedLogin } from "./verify-basic.ts";
import type { BearerVerifier } from "./verify-bearer.ts";
import type { Principal } from "./principal.ts";

/** From where credentials come, and which of them count. */
export interface AuthenticationContext {
  /** The caller's address in one canonical spelling; failed logins are counted by it. */
  readonly address: string;
  /** Only a name and a password will do: a token must not be a way to the next one. */
  readonly basicOnly: boolean;
  /** Is told of each name and password that were looked at; not of those that are remembered. */
  readonly onLogin: (login: CheckedLogin) => void;
}

/**
 * Turns an Authorization header into the caller. Rejects with DomainError("unauthenticated"), with RateLimitedError after too many
 * failed logins, and when users cannot be read.
 */
export type Authenticate = (authorization: string | undefined, context: AuthenticationContext) => Promise<Principal>;

/** What a 401 carries in `WWW-Authenticate`: both schemes, whichever was tried. RFC 9110 §11.6.1. */
export const challenges = 'Bearer realm="reports", Basic realm="reports", charset="UTF-8"';

/** Builds the one entrance for credentials. A scheme without a verifier is refused like wrong credentials. */
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
