import { DomainError } from "@reports/core";
import type { BasicVerifier } from "./verify-basic.ts";
import type { BearerVerifier } from "./verify-bearer.ts";
import type { Principal } from "./principal.ts";

/** Turns an Authorization header into the caller. Rejects with DomainError("unauthenticated"), or when users cannot be read. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

/** What a 401 carries in `WWW-Authenticate`: both schemes, whichever was tried. RFC 9110 §11.6.1. */
export const challenges = 'Bearer realm="reports", Basic realm="reports", charset="UTF-8"';

/** Builds the one entrance for credentials. A scheme without a verifier is refused like wrong credentials. */
export function createAuthenticator(verifiers: {
  readonly bearer?: BearerVerifier;
  readonly basic?: BasicVerifier;
}): Authenticate {
  return async (authorization) => {
    if (authorization === undefined || authorization === "") {
      throw new DomainError(
        "unauthenticated",
        "credentials-missing",
        "This needs credentials: send an Authorization header, either Bearer or Basic.",
      );
    }
    const [, scheme, credentials] = /^([A-Za-z]+) +([^\s,]+) *$/.exec(authorization) ?? [];
    const principal = credentials === undefined ? null : await verify(scheme?.toLowerCase(), credentials);
    if (principal === null) {
      throw new DomainError(
        "unauthenticated",
        "credentials-invalid",
        "The credentials are not valid: the token, the user name or the password is wrong, or the token has expired.",
      );
    }
    return principal;
  };

  async function verify(scheme: string | undefined, credentials: string): Promise<Principal | null> {
    if (scheme === "bearer") return (await verifiers.bearer?.(credentials)) ?? null;
    if (scheme === "basic") return (await verifiers.basic?.(credentials)) ?? null;
    return null;
  }
}
