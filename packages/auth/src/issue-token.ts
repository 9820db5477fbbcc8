import { SignJWT } from "jose";
import { userPrincipalPrefix } from "@reports/core/caller";
import type { Principal } from "./principal.ts";

/** Value of the header `typ` in tokens that this service signs (RFC 8725 §3.11). Only such a token may name a local user. */
export const userTokenType = "reports-user+jwt";

export interface IssuedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

export type TokenIssuer = (principal: Principal) => Promise<IssuedToken>;

export function createTokenIssuer(options: {
  readonly secret: string;
  readonly lifetimeSeconds: number;
  readonly issuer: string | null;
  readonly audience: string | null;
  readonly authoritiesClaim?: string;
}): TokenIssuer {
  const key = new TextEncoder().encode(options.secret);
  const claim = options.authoritiesClaim ?? "authorities";
  return async ({ id, authorities }) => {
    const held = [...authorities];
    const issuedAt = Math.floor(Date.now() / 1000);
    const token = new SignJWT({ [claim]: claim === "scope" ? held.join(" ") : held })
      .setProtectedHeader({ alg: "HS256", typ: userTokenType })
      .setSubject(id.slice(userPrincipalPrefix.length))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + options.lifetimeSeconds);
    if (options.issuer !== null) token.setIssuer(options.issuer);
    if (options.audience !== null) token.setAudience(options.audience);
    return { token: await token.sign(key), expiresInSeconds: options.lifetimeSeconds };
  };
}
