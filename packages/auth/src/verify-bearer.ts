import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { JWTPayload, JWTVerifyOptions, JWTVerifyResult } from "jose";
import { DomainError } from "@reports/core/base";
import { maxPrincipalBytes, userPrincipalPrefix } from "@reports/core/caller";
import { isAccessToken, type RequirableTokenType } from "./access-token.ts";
import { readDisplayName } from "./display-name.ts";
import { userTokenType } from "./issue-token.ts";
import type { IssuerKeys } from "./key-set.ts";
import type { Principal } from "./principal.ts";
import { createCredentialCache } from "./credential-cache.ts";
import { principalOfUser, type UserDirectory } from "./user-directory.ts";

/**
 * The secrets that sign tokens of this service. The first one signs, and all of them verify, so that a secret can be rotated. Each has at least
 * 32 bytes.
 */
export interface SharedSecretOptions {
  readonly secrets: readonly string[];
  /** The local users. Each use of a token that this service has signed reads its user, so that tokens of a disabled user are refused. */
  readonly users: UserDirectory;
  /**
   * Whether a token may lack `iss` and `aud`. A token that has them must still have the required ones. Default: false. While callers change to
   * another issuer, tokens that were signed before that issuer was configured have neither.
   */
  readonly mayLackIssuer?: boolean;
}

export interface IssuerKeyOptions {
  readonly keys: IssuerKeys;
}

export interface BearerVerifierOptions {
  /** Required issuer (claim `iss`). Null accepts any issuer, and a token without one. */
  readonly issuer: string | null;
  /** Required audience (claim `aud`). Null accepts any audience, and a token without one. */
  readonly audience: string | null;
  /** Name of the claim with the authorities. The claim `scope` is split on spaces. Any other must be an array of strings. */
  readonly authoritiesClaim?: string;
  /** Required type (header `typ`) of tokens that another issuer signed. Default: any type that an access token may have. */
  readonly tokenType?: RequirableTokenType | undefined;
  /** Maximum age of a token since its `iat`, in seconds, even if `exp` is later. Default: 86,400. */
  readonly maxTokenAgeSeconds?: number;
  /** Milliseconds for which a verified signature is cached, at most until the token expires. Default: 30,000. */
  readonly cacheMs?: number;
  readonly now?: () => number;
}

/**
 * Returns the caller of a bearer token, or null if the token is not valid. Rejects with DomainError("unauthenticated") for a valid token that
 * is too old, and with DomainError("unavailable") while the issuer's keys are unavailable.
 */
export type BearerVerifier = (token: string) => Promise<Principal | null>;

const maxTokenBytes = 8 * 1024;
const minSecretBytes = 32;
const maxKeysPerKid = 8;
const clockToleranceSeconds = 30;
/** Both names mean the same algorithm: RFC 9864 renames `EdDSA` to `Ed25519`. */
const edDsa = ["EdDSA", "Ed25519"];
const issuerAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", ...edDsa];

/**
 * Creates the verification of bearer tokens (RFC 7519, RFC 8725). The kind of key, never the token, decides which algorithms are allowed. `exp`,
 * `iat` and `sub` are required. Issuer, audience and age are checked. Throws an Error if a secret is too short.
 */
export function createBearerVerifier(
  options: BearerVerifierOptions & (SharedSecretOptions | IssuerKeyOptions),
): BearerVerifier {
  const now = options.now ?? Date.now;
  const maxTokenAge = options.maxTokenAgeSeconds ?? 24 * 3600;
  const mayLackIssuer = "secrets" in options && options.mayLackIssuer === true;
  const rules = (token: string): JWTVerifyOptions => {
    const given = mayLackIssuer ? decodeJwt(token) : null;
    const isChecked = (claim: "iss" | "aud"): boolean => given === null || given[claim] !== undefined;
    return {
      currentDate: new Date(now()),
      requiredClaims: ["exp", "iat", "sub"],
      clockTolerance: clockToleranceSeconds,
      maxTokenAge,
      ...(options.issuer !== null && isChecked("iss") && { issuer: options.issuer }),
      ...(options.audience !== null && isChecked("aud") && { audience: options.audience }),
    };
  };
  const signed =
    "secrets" in options ? createSecretCheck(options.secrets, rules) : createIssuerCheck(options.keys, rules);
  const claim = options.authoritiesClaim ?? "authorities";
  // Verified tokens are cached, because checking a signature takes as long as the rest of a small request. The key set reloads its keys only every
  // ten minutes (key-set.ts), so the cache hardly delays the notice of a withdrawn key.
  const remembered = createCredentialCache<{ readonly bearer: BearerIdentity; readonly endsAt: number }>({
    cacheMs: options.cacheMs ?? 30_000,
    now,
  });

  return async (token) => {
    if (Buffer.byteLength(token) > maxTokenBytes) return null;
    const key = remembered.keyOf(token);
    const known = remembered.get(key);
    if (known !== undefined && now() < known.endsAt) return currentPrincipal(known.bearer);
    const bearer = await verifiedBearer(token, key);
    return bearer === null ? null : currentPrincipal(bearer);
  };

  async function verifiedBearer(token: string, key: string): Promise<BearerIdentity | null> {
    try {
      const verified = await signed(token);
      if (verified === null) return null;
      const namesUser = "secrets" in options && verified.protectedHeader.typ === userTokenType;
      if (!namesUser && !isAccessToken(verified, options.tokenType)) return null;
      const { exp = 0, iat = 0 } = verified.payload;
      const endsAtSeconds = Math.min(exp, iat + maxTokenAge);
      const bearer = readBearer(verified.payload, namesUser, claim, new Date(endsAtSeconds * 1000));
      if (bearer === null) return null;
      remembered.add(key, { bearer, endsAt: (endsAtSeconds + clockToleranceSeconds) * 1000 });
      return bearer;
    } catch (error) {
      if (error instanceof DomainError) throw error;
      if (error instanceof errors.JWTExpired && error.claim === "iat") throw tokenTooOldError(maxTokenAge);
      // jose also throws TypeErrors, such as for a key of the wrong kind. The token is then invalid, because no token may cause a 500.
      return null;
    }
  }

  async function currentPrincipal(bearer: BearerIdentity): Promise<Principal | null> {
    if (!("userName" in bearer)) return bearer;
    const user = "users" in options ? await options.users.find(bearer.userName) : null;
    return user === null || user.disabledAt !== null
      ? null
      : { ...principalOfUser(user), kind: "bearer", endsAt: bearer.endsAt };
  }
}

type SignatureCheck = (token: string) => Promise<JWTVerifyResult | null>;

function createSecretCheck(secrets: readonly string[], rules: (token: string) => JWTVerifyOptions): SignatureCheck {
  if (secrets.length === 0) throw new Error("There is no secret with which to verify bearer tokens.");
  const keys = secrets.map((secret) => new TextEncoder().encode(secret));
  if (keys.some((key) => key.length < minSecretBytes)) {
    throw new Error(`A secret that signs bearer tokens must have at least ${minSecretBytes} bytes.`);
  }
  // Each secret is imported once as a key, because jose would import its bytes again for every token.
  const imported = keys.map(async (key) =>
    crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]),
  );
  return async (token) => {
    for (const key of imported) {
      const verified = await nullIfNotSigned(jwtVerify(token, await key, { ...rules(token), algorithms: ["HS256"] }));
      if (verified !== null) return verified;
    }
    return null;
  };
}

function createIssuerCheck(keys: IssuerKeys, rules: (token: string) => JWTVerifyOptions): SignatureCheck {
  return async (token) => {
    // The algorithm is checked before the key is looked up, so that an unknown algorithm causes no fetch.
    const { alg } = decodeProtectedHeader(token);
    if (alg === undefined || !issuerAlgorithms.includes(alg)) return null;
    const check = async () => verifyWithAnyKey(token, keys, { ...rules(token), algorithms: issuerAlgorithms });
    const fetches = keys.fetchCount();
    const verified = await check();
    if (verified !== null) return verified;
    await keys.renew();
    return keys.fetchCount() === fetches ? null : check();
  };
}

async function verifyWithAnyKey(
  token: string,
  keys: IssuerKeys,
  rules: JWTVerifyOptions,
): Promise<JWTVerifyResult | null> {
  try {
    return await nullIfNotSigned(jwtVerify(token, keys.find, rules));
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // Several keys can match, because some issuers publish several under one `kid`, or under none.
    let tried = 0;
    for await (const key of error) {
      if (++tried > maxKeysPerKid) break;
      // A key that jose cannot use must not prevent the check with the next key.
      const verified = await nullIfNotSigned(jwtVerify(token, key, rules)).catch(nullIfUnusable);
      if (verified !== null) return verified;
    }
    return null;
  }
}

async function nullIfNotSigned(verifying: Promise<JWTVerifyResult>): Promise<JWTVerifyResult | null> {
  return verifying.catch((error: unknown) => {
    if (error instanceof errors.JWSSignatureVerificationFailed) return null;
    throw error;
  });
}

/** Returns null for an error about the key, so that the next key is tried. Throws an error about the token's claims. */
function nullIfUnusable(error: unknown): null {
  if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) throw error;
  return null;
}

function tokenTooOldError(maxTokenAgeSeconds: number): DomainError {
  const limit = `more than ${maxTokenAgeSeconds} seconds ago, which is the limit of this service`;
  return new DomainError("unauthenticated", "credentials-invalid", `The token was issued ${limit}. Get a new token.`);
}

const unsafeCharacter = /\p{Cc}|\p{Cs}/u;

/**
 * The principal that an issuer's token describes. For a token of this service, the name of a local user, whose authorities are then read from the
 * database.
 */
type BearerIdentity = Principal | { readonly userName: string; readonly endsAt: Date };

function readBearer(payload: JWTPayload, namesUser: boolean, claim: string, endsAt: Date): BearerIdentity | null {
  const { sub, iss } = payload;
  if (typeof sub !== "string" || sub === "" || sub.length > 255 || (iss !== undefined && typeof iss !== "string"))
    return null;
  // `|` separates issuer and subject in the principal's ID. So an issuer with a `|` could make the IDs of two callers equal. IDs that differ only in
  // control characters or lone surrogates could look the same in the database or a log.
  if (iss?.includes("|") === true || unsafeCharacter.test(iss ?? "") || unsafeCharacter.test(sub)) return null;
  // An issuer whose name begins like the ID of a local user (`basic:`) could imitate that user.
  if (iss?.startsWith(userPrincipalPrefix) === true) return null;
  if (namesUser) return { userName: sub, endsAt };
  const id = `${iss ?? "jwt"}|${sub}`;
  if (Buffer.byteLength(id) > maxPrincipalBytes) return null;
  return {
    id,
    kind: "bearer",
    displayName: readDisplayName(payload),
    authorities: readAuthorities(payload, claim),
    endsAt,
  };
}

function readAuthorities(payload: JWTPayload, claim: string): ReadonlySet<string> {
  const value: unknown = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  if (claim === "scope" && typeof value === "string") return new Set(value.split(" ").filter(isStorableAuthority));
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return new Set(value.filter(isStorableAuthority));
  return new Set();
}

/** Reports whether Postgres can store an authority. Schedules store the authorities of their owners. */
function isStorableAuthority(name: string): boolean {
  return name !== "" && !unsafeCharacter.test(name);
}
