import type { JWTPayload, JWTVerifyResult } from "jose";

export const requirableTokenTypes = ["at+jwt"] as const;
export type RequirableTokenType = (typeof requirableTokenTypes)[number];

/** Values of the header `typ` that an access token may have. Most issuers set none or `JWT`. RFC 9068 §2.1, RFC 7519 §5.1. */
const accessTokenTypes: readonly (string | undefined)[] = [undefined, "jwt", "at+jwt"];
/** Claims that RFC 9068 §2.2 requires of every access token. */
const requiredClaims = ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"];
/** Claims that no access token has, but an ID token (OpenID Connect Core §3.3.2.11) or a logout or security event token (RFC 8417). */
const nonAccessTokenClaims = ["at_hash", "c_hash", "s_hash", "events"];
/** Claims of an ID token (OpenID Connect Core §2) that some issuers also put into access tokens. */
const idTokenClaims = ["nonce", "auth_time"];
/** Claims that only access tokens have: those of RFC 9068, and their names in Entra ID (`scp`) and Okta (`scp`, `cid`). */
const accessTokenClaims = ["scope", "client_id", "scp", "cid"];
const keycloakNonAccessTypes: readonly unknown[] = ["ID", "Refresh", "Offline", "Logout"];

/**
 * Reports whether a verified token is an access token. An issuer signs ID tokens, logout tokens and others with the same keys, but those must
 * not give access (RFC 8725 §3.11). If `required` is set, the token must have this type and all claims that RFC 9068 requires.
 */
export function isAccessToken({ protectedHeader, payload }: JWTVerifyResult, required?: RequirableTokenType): boolean {
  const { typ } = protectedHeader;
  if (typ !== undefined && typeof typ !== "string") return false;
  const type = typ?.toLowerCase().replace(/^application\//, "");
  if (!accessTokenTypes.includes(type) || hasAnyClaim(payload, nonAccessTokenClaims)) return false;
  if (keycloakNonAccessTypes.includes(payload["typ"])) return false;
  // In Amazon Cognito, this claim distinguishes access tokens from ID tokens.
  if (Object.hasOwn(payload, "token_use") && payload["token_use"] !== "access") return false;
  if (required !== undefined)
    return type === required && requiredClaims.every((claim) => Object.hasOwn(payload, claim));
  return type === "at+jwt" || !hasAnyClaim(payload, idTokenClaims) || hasAnyClaim(payload, accessTokenClaims);
}

function hasAnyClaim(payload: JWTPayload, claims: readonly string[]): boolean {
  return claims.some((claim) => Object.hasOwn(payload, claim));
}
