import { userPrincipalPrefix } from "@reports/core";
import type { LoginThrottle } from "@reports/core";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";
import { decodeBasicCredentials } from "./decode-basic.ts";
import { createLoginGuard } from "./login-guard.ts";
import { unmatchableHash, verifyPassword } from "./password.ts";
import type { Principal } from "./principal.ts";
import { createRememberedCredentials } from "./remembered-credentials.ts";

/** A user who signs in with a name and a password. */
export interface BasicUser {
  readonly name: string;
  /** argon2id, PHC form. */
  readonly passwordHash: string;
  readonly authorities: readonly string[];
  /** Set: the user may not sign in any more. */
  readonly disabledAt: Date | null;
}

/** Where users are kept. Rejects with StoreUnavailableError when it does not answer. */
export interface UserDirectory {
  find(name: string): Promise<BasicUser | null>;
}

/**
 * Answers who stands behind the credentials of a Basic header, or null when they are wrong. `address` is where they come from, in one
 * canonical spelling. Rejects with RateLimitedError while there are too many failures from there.
 */
export type BasicVerifier = (encoded: string, address: string) => Promise<Principal | null>;

const longestNameBytes = 128;
const longestPasswordBytes = 1024;

/**
 * Verifies Basic credentials (RFC 7617, UTF-8). The user's row is read every time, so that a disabled user, a new password and
 * changed authorities count at once; only the costly hash is remembered, for `rememberMs`, under a keyed hash of name, password
 * and stored hash. At most `maxConcurrent` hashes run and `maxWaiting` wait; beyond that a DomainError("unavailable") is thrown.
 *
 * Only a wrong name or password counts as a failure. An address with too many of them learns nothing more, not even of a success; an
 * account that is guessed at from many addresses stays open to those whose password was verified a moment ago.
 */
export function createBasicVerifier(options: {
  readonly users: UserDirectory;
  /** Left out: failures are not counted. */
  readonly throttle?: LoginThrottle;
  readonly rememberMs?: number;
  readonly maxConcurrent?: number;
  readonly maxWaiting?: number;
  readonly now?: () => number;
}): BasicVerifier {
  const { users, throttle, rememberMs = 30_000, maxConcurrent = 2, maxWaiting = 32, now = Date.now } = options;
  const remembered = createRememberedCredentials<true>({ rememberMs, now });
  const guard = throttle === undefined ? undefined : createLoginGuard({ throttle, now });
  const limited = createConcurrencyLimiter(maxConcurrent, maxWaiting);

  return async (encoded, address) => {
    const credentials = decodeBasicCredentials(encoded);
    if (credentials === null) return null;
    const { name, password } = credentials;
    const attempt = { address, account: name };
    const accountRefusal = (await guard?.admit(attempt)) ?? null;
    const canExist = Buffer.byteLength(name) <= longestNameBytes && Buffer.byteLength(password) <= longestPasswordBytes;
    const row = canExist ? await users.find(name) : null;
    const user = row === null || row.disabledAt !== null ? null : row;
    const passwordHash = user?.passwordHash ?? unmatchableHash;
    const key = remembered.keyOf(name, password, passwordHash);
    if (user !== null && remembered.get(key) === true) return principalOf(user);
    if (accountRefusal !== null) throw accountRefusal;
    // Unknown users cost the same hash as known ones, so that time does not tell them apart.
    const matches = await limited(async () => verifyPassword(passwordHash, canExist ? password : ""));
    if (!matches || user === null) {
      await guard?.countFailure(attempt);
      return null;
    }
    // Many guesses can be under way at once: one that is right is told only while the failures beside it are not too many.
    const lateRefusal = (await guard?.admit(attempt)) ?? null;
    if (lateRefusal !== null) throw lateRefusal;
    remembered.add(key, true);
    return principalOf(user);
  };
}

function principalOf(user: BasicUser): Principal {
  return { id: `${userPrincipalPrefix}${user.name}`, kind: "basic", authorities: new Set(user.authorities) };
}
