import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyOptions, JWTVerifyResult } from "jose";
import { DomainError, longestPrincipalBytes, userPrincipalPrefix } from "@reports/core";
import { isAccessToken } from "./access-token.ts";
import { displayNameOf } from "./display-name.ts";
import { userTokenType } from "./issue-token.ts";
import type { IssuerKeys } from "./key-set.ts";
import type { Principal } from "./principal.ts";
import { createRememberedCredentials } from "./remembered-credentials.ts";
import { principalOfUser } from "./user-directory.ts";
import type { UserDirectory } from "./user-directory.ts";

/** Shared secrets: the first signs, all of them verify, so that a secret can be rotated. At least 32 bytes each. */
export interface SharedSecrets {
  readonly secrets: readonly string[];
  /** Whom the tokens that we issue ourselves may name. Asked at every use, so that a disabled user's token ends with the user. */
  readonly users: UserDirectory;
}

/** An OIDC issuer's key set. */
export interface IssuerKeySet {
  readonly keys: IssuerKeys;
}

/** What every bearer token has to be, whatever signed it. */
export interface BearerRules {
  /** Expected `iss`; null for any or none. */
  readonly issuer: string | null;
  /** Expected `aud`; null for any or none. */
  readonly audience: string | null;
  /** Name of the claim that holds the authorities. `scope` is split on spaces; any other must be an array of strings. */
  readonly authoritiesClaim?: string;
  readonly clockToleranceSeconds?: number;
  /** Age since `iat` above which a token is refused, however long it says it lives. */
  readonly maxTokenAgeSeconds?: number;
  /** For how long a token that was verified is believed without verifying its signature again, but never past its end. Default 30,000. */
  readonly rememberMs?: number;
  readonly now?: () => number;
}

/**
 * Answers who stands behind a bearer token, or null when it is not to be trusted. Rejects with DomainError("unavailable") when that
 * cannot be told, because the issuer does not give its keys.
 */
export type BearerVerifier = (token: string) => Promise<Principal | null>;

const longestTokenBytes = 8 * 1024;
const shortestSecretBytes = 32;
const mostKeysOfOneKid = 8;
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
    ...(options.issuer === null ? {} : { issuer: options.issuer }),
    ...(options.audience === null ? {} : { audience: options.audience }),
  });
  const verify =
    "secrets" in options ? verifyWithSecrets(options.secrets, rules) : verifyWithIssuer(options.keys, rules);
  const claim = options.authoritiesClaim ?? "authorities";
  // A signature costs as much as the rest of a small request. An issuer that withdraws a key is heard of later than this anyway (key-set.ts).
  const remembered = createRememberedCredentials<{ readonly bearer: Bearer; readonly endsAt: number }>({
    rememberMs: options.rememberMs ?? 30_000,
    now,
  });

  return async (token) => {
    if (Buffer.byteLength(token) > longestTokenBytes) return null;
    const key = remembered.keyOf(token);
    const known = remembered.get(key);
    if (known !== undefined && now() < known.endsAt) return principalNow(known.bearer);
    const bearer = await verifiedBearer(token, key);
    return bearer === null ? null : principalNow(bearer);
  };

  async function verifiedBearer(token: string, key: string): Promise<Bearer | null> {
    try {
      const verified = await verify(token);
      if (verified === null) return null;
      const { exp = 0, iat = 0 } = verified.payload;
      const endsAtSeconds = Math.min(exp, iat + maxTokenAge);
      const bearer = bearerOf(verified, claim, new Date(endsAtSeconds * 1000));
      if (bearer === null) return null;
      remembered.add(key, { bearer, endsAt: (endsAtSeconds + clockTolerance) * 1000 });
      return bearer;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      // jose throws plain TypeErrors too (a key of the wrong kind, for one); no token may turn into a 500.
      return null;
    }
  }

  async function principalNow(bearer: Bearer): Promise<Principal | null> {
    if (!("userName" in bearer)) return bearer;
    const user = "users" in options ? await options.users.find(bearer.userName) : null;
    return user === null || user.disabledAt !== null
      ? null
      : { ...principalOfUser(user), kind: "bearer", endsAt: bearer.endsAt };
  }
}

function verifyWithSecrets(secrets: readonly string[], rules: () => JWTVerifyOptions) {
  if (secrets.length === 0) throw new Error("There is no secret with which to verify bearer tokens.");
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
      const namesUser = verified.protectedHeader.typ === userTokenType;
      return namesUser || isAccessToken(verified) ? { payload: verified.payload, namesUser } : null;
    }
    return null;
  };
}

function verifyWithIssuer(keys: IssuerKeys, rules: () => JWTVerifyOptions) {
  return async (token: string): Promise<VerifiedToken | null> => {
    // Checked before the key is looked for, so that a made-up algorithm costs no fetch.
    const { alg } = decodeProtectedHeader(token);
    if (alg === undefined || !issuerAlgorithms.includes(alg)) return null;
    const verified = await verifyWithAnyKey(token, keys, { ...rules(), algorithms: issuerAlgorithms });
    if (verified === null || !isAccessToken(verified)) return null;
    return { payload: verified.payload, namesUser: false };
  };
}

async function verifyWithAnyKey(
  token: string,
  keys: IssuerKeys,
  rules: JWTVerifyOptions,
): Promise<JWTVerifyResult | null> {
  try {
    return await jwtVerify(token, keys.find, rules);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // Some issuers publish several keys under one kid, or under none.
    let tried = 0;
    for await (const key of error) {
      if (++tried > mostKeysOfOneKid) break;
      const verified = await jwtVerify(token, key, rules).catch(() => null);
      if (verified !== null) return verified;
    }
    return null;
  }
}

interface VerifiedToken {
  readonly payload: JWTPayload;
  /** We have issued it, for one of our own users. */
  readonly namesUser: boolean;
}

/** Whom a token stands for: somebody whom it describes, or one of our own users, whom our own records describe. */
type Bearer = Principal | { readonly userName: string; readonly endsAt: Date };

function bearerOf({ payload, namesUser }: VerifiedToken, claim: string, endsAt: Date): Bearer | null {
  const { sub, iss } = payload;
  if (typeof sub !== "string" || sub === "" || sub.length > 255 || (iss !== undefined && typeof iss !== "string"))
    return null;
  // A separator, a control character or half a surrogate pair in either part could make two callers look alike, in the database or in a log.
  const unclear = /\p{Cc}|\p{Cs}/u;
  if (iss?.includes("|") === true || unclear.test(iss ?? "") || unclear.test(sub)) return null;
  // What begins like one of our own users is nobody else's.
  if (iss?.startsWith(userPrincipalPrefix) === true) return null;
  if (namesUser) return { userName: sub, endsAt };
  const id = `${iss ?? "jwt"}|${sub}`;
  if (Buffer.byteLength(id) > longestPrincipalBytes) return null;
  return {
    id,
    kind: "bearer",
    displayName: displayNameOf(payload),
    authorities: authoritiesOf(payload, claim),
    endsAt,
  };
}

function authoritiesOf(payload: JWTPayload, claim: string): ReadonlySet<string> {
  const value: unknown = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  if (claim === "scope" && typeof value === "string") return new Set(value.split(" ").filter((part) => part !== ""));
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return new Set(value);
  return new Set();
}
