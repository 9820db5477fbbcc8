import type { JWTPayload, JWTVerifyResult } from "jose";

/** The type of access tokens by RFC 9068, which a deployment can demand. */
export const tokenTypes = ["at+jwt"] as const;
export type TokenType = (typeof tokenTypes)[number];

/** Types (`typ` of the header) that an access token may have; most issuers set none or JWT. RFC 9068 §2.1, RFC 7519 §5.1. */
const accessTokenTypes: readonly (string | undefined)[] = [undefined, "jwt", "at+jwt"];
/** Claims that RFC 9068 §2.2 requires. */
const requiredClaims = ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"];
/** Claims of an ID token (OpenID Connect Core §3.3.2.11) and of a logout or security event token (RFC 8417), which no access token has. */
const foreignClaims = ["at_hash", "c_hash", "s_hash", "events"];
/** Claims of an ID token (OpenID Connect Core §2) that some issuers also put into access tokens. */
const loginClaims = ["nonce", "auth_time"];
/** Claims of an access token that no ID token has: by RFC 9068, and as Entra ID (`scp`) and Okta (`scp`, `cid`) spell them. */
const accessClaims = ["scope", "client_id", "scp", "cid"];
/** Values of Keycloak's claim `typ`. */
const foreignTypClaims: readonly unknown[] = ["ID", "Refresh", "Offline", "Logout"];

/**
 * Reports whether a verified token was made for calling an API. An issuer signs ID tokens, logout tokens and others with the same keys,
 * and their recipients must not get in with them. RFC 8725 §3.11. `required` demands an RFC 9068 token: its type and all its required
 * claims.
 */
export function isAccessToken({ protectedHeader, payload }: JWTVerifyResult, required?: TokenType): boolean {
  const { typ } = protectedHeader;
  if (typ !== undefined && typeof typ !== "string") return false;
  const type = typ?.toLowerCase().replace(/^application\//, "");
  if (!accessTokenTypes.includes(type) || hasSome(payload, foreignClaims)) return false;
  if (foreignTypClaims.includes(payload["typ"])) return false;
  // Amazon Cognito distinguishes its tokens by this claim.
  if (Object.hasOwn(payload, "token_use") && payload["token_use"] !== "access") return false;
  if (required !== undefined)
    return type === required && requiredClaims.every((claim) => Object.hasOwn(payload, claim));
  return type === "at+jwt" || !hasSome(payload, loginClaims) || hasSome(payload, accessClaims);
}

function hasSome(payload: JWTPayload, claims: readonly string[]): boolean {
  return claims.some((claim) => Object.hasOwn(payload, claim));
}
