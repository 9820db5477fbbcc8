import type { JWTVerifyResult } from "jose";

/** Types (`typ` of the header) that an access token may have; most issuers give none or JWT. RFC 9068 §2.1, RFC 7519 §5.1. */
const accessTokenTypes: readonly (string | undefined)[] = [undefined, "jwt", "at+jwt"];
/** Claims of an ID token (OpenID Connect Core §3.3.2.11) and of a logout or security event token (RFC 8417), which no access token has. */
const foreignClaims = ["at_hash", "c_hash", "s_hash", "events"];
/** What Keycloak says in a claim of its own. */
const foreignTypClaims: readonly unknown[] = ["ID", "Refresh", "Offline", "Logout"];

/**
 * Whether a verified token was made for calling an API. An issuer signs ID tokens, logout tokens and others with the same keys, and
 * whoever receives one of those must not be able to come in with it. RFC 8725 §3.11.
 */
export function isAccessToken({ protectedHeader, payload }: JWTVerifyResult): boolean {
  const { typ } = protectedHeader;
  if (typ !== undefined && typeof typ !== "string") return false;
  const type = typ?.toLowerCase().replace(/^application\//, "");
  if (!accessTokenTypes.includes(type)) return false;
  return !foreignClaims.some((claim) => Object.hasOwn(payload, claim)) && !foreignTypClaims.includes(payload["typ"]);
}
