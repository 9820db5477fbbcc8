import { decodeProtectedHeader, jwtVerify } from "jose";
import type { FetchImplementation, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import { userPrincipalPrefix } from "@reports/core";
import { userTokenType } from "./issue-token.ts";
import { createIssuerKeys } from "./jwks.ts";
import type { Principal } from "./principal.ts";
import { createRememberedCredentials } from "./remembered-credentials.ts";

/** Shared secrets: the first signs, all of them verify, so that a secret can be rotated. At least 32 bytes each. */
export interface SharedSecrets {
  readonly secrets: readonly string[];
}

/** An OIDC issuer's key set. */
export interface IssuerKeySet {
  readonly jwksUrl: URL;
  readonly fetch?: FetchImplementation;
}

/** What every bearer token has to be, whatever signed it. */
export interface BearerRules {
  /** Expected `iss`; left out, any or none. */
  readonly issuer?: string;
  /** Expected `aud`; left out, any or none. */
  readonly audience?: string;
  /** Name of the claim that holds the authorities. `scope` is split on spaces; any other must be an array of strings. */
  readonly authoritiesClaim?: string;
  readonly clockToleranceSeconds?: number;
  /** Age since `iat` above which a token is refused, however long it says it lives. */
  readonly maxTokenAgeSeconds?: number;
  /** For how long a token that was verified is believed without verifying its signature again, but never past its end. Default 30,000. */
  readonly rememberMs?: number;
  readonly now?: () => number;
}

/** Answers who stands behind a bearer token, or null when it is not to be trusted. Never rejects. */
export type BearerVerifier = (token: string) => Promise<Principal | null>;

const longestTokenBytes = 8 * 1024;
const shortestSecretBytes = 32;
// Principals are kept with reports and stand in an index, whose entries have a limit.
const longestPrincipalBytes = 1024;
const issuerAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/**
 * Verifies bearer tokens (RFC 7519, RFC 8725): one family of algorithms, fixed by the kind of key and never by the token;
 * `exp`, `iat` and `sub` required; issuer, audience and age checked. Throws an Error on a secret that is too short.
 */
export function createBearerVerifier(options: BearerRules & (SharedSecrets | IssuerKeySet)): BearerVerifier {
  const now = options.now ?? Date.now;
  const clockTolerance = options.clockToleranceSeconds ?? 30;
  const maxTokenAge = options.maxTokenAgeSeconds ?? 24 * 3600;
  const rules = (): JWTVerifyOptions => ({
    currentDate: new Date(now()),
    requiredClaims: ["exp", "iat", "sub"],
    clockTolerance,
    maxTokenAge,
    ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
    ...(options.audience === undefined ? {} : { audience: options.audience }),
  });
  const verify =
    "secrets" in options ? verifyWithSecrets(options.secrets, rules) : verifyWithIssuer(options, rules, now);
  const claim = options.authoritiesClaim ?? "authorities";
  // A signature costs as much as the rest of a small request. An issuer that withdraws a key is heard of later than this anyway (jwks.ts).
  const remembered = createRememberedCredentials<{ readonly principal: Principal; readonly endsAt: number }>({
    rememberMs: options.rememberMs ?? 30_000,
    now,
  });

  return async (token) => {
    if (Buffer.byteLength(token) > longestTokenBytes) return null;
    const key = remembered.keyOf(token);
    const known = remembered.get(key);
    if (known !== undefined && now() < known.endsAt) return known.principal;
    try {
      const verified = await verify(token);
      const principal = verified === null ? null : principalOf(verified, claim);
      if (verified === null || principal === null) return null;
      const { exp = 0, iat = 0 } = verified.payload;
      const endsAt = (Math.min(exp, iat + maxTokenAge) + clockTolerance) * 1000;
      remembered.add(key, { principal, endsAt });
      return principal;
    } catch {
      // jose throws plain TypeErrors too (a key of the wrong kind, for one); no token may turn into a 500.
      return null;
    }
  };
}

function verifyWithSecrets(secrets: readonly string[], rules: () => JWTVerifyOptions) {
  if (secrets.length === 0) throw new Error("No secret is given to verify bearer tokens with.");
  const keys = secrets.map((secret) => new TextEncoder().encode(secret));
  if (keys.some((key) => key.length < shortestSecretBytes)) {
    throw new Error(`A secret that signs bearer tokens must have at least ${shortestSecretBytes} bytes.`);
  }
  // Once: bytes would be made into a key again for every token.
  const imported = keys.map(async (key) =>
    crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]),
  );
  return async (token: string): Promise<VerifiedToken | null> => {
    for (const key of imported) {
      const verified = await jwtVerify(token, await key, { ...rules(), algorithms: ["HS256"] }).catch(() => null);
      if (verified === null) continue;
      return { payload: verified.payload, namesUser: verified.protectedHeader.typ === userTokenType };
    }
    return null;
  };
}

function verifyWithIssuer(source: IssuerKeySet, rules: () => JWTVerifyOptions, now: () => number) {
  const keys: JWTVerifyGetKey = createIssuerKeys(source.jwksUrl, {
    now,
    ...(source.fetch === undefined ? {} : { fetch: source.fetch }),
  });
  return async (token: string): Promise<VerifiedToken> => {
    // Checked before the key is looked for, so that a made-up algorithm costs no fetch.
    const { alg } = decodeProtectedHeader(token);
    if (alg === undefined || !issuerAlgorithms.includes(alg)) throw new Error("The token's algorithm is not allowed.");
    const { payload } = await jwtVerify(token, keys, { ...rules(), algorithms: issuerAlgorithms });
    return { payload, namesUser: false };
  };
}

interface VerifiedToken {
  readonly payload: JWTPayload;
  /** We have issued it, for one of our own users. */
  readonly namesUser: boolean;
}

function principalOf({ payload, namesUser }: VerifiedToken, claim: string): Principal | null {
  const { sub, iss } = payload;
  if (typeof sub !== "string" || sub === "" || sub.length > 255 || (iss !== undefined && typeof iss !== "string"))
    return null;
  // A separator, a control character or half a surrogate pair in either part could make two callers look alike, in the database or in a log.
  const unclear = /\p{Cc}|\p{Cs}/u;
  if (iss?.includes("|") === true || unclear.test(iss ?? "") || unclear.test(sub)) return null;
  // What begins like one of our own users is nobody else's.
  if (iss?.startsWith(userPrincipalPrefix) === true) return null;
  const id = namesUser ? `${userPrincipalPrefix}${sub}` : `${iss ?? "jwt"}|${sub}`;
  if (Buffer.byteLength(id) > longestPrincipalBytes) return null;
  return { id, kind: "bearer", authorities: authoritiesOf(payload, claim) };
}

function authoritiesOf(payload: JWTPayload, claim: string): ReadonlySet<string> {
  const value: unknown = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  if (claim === "scope" && typeof value === "string") return new Set(value.split(" ").filter((part) => part !== ""));
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return new Set(value);
  return new Set();
}
