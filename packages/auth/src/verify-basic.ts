import { isUtf8 } from "node:buffer";
import { createSemaphore, createFairSemaphorePolicy } from "@reports/core/base";
import type { LoginThrottle } from "@reports/core/caller";
import { createLoginGuard } from "./login-guard.ts";
import { unmatchablePasswordHash, verifyPassword } from "./password.ts";
import type { Principal } from "./principal.ts";
import { createCredentialCache } from "./credential-cache.ts";
import { tooManyPasswordChecksError } from "./too-many-checks.ts";
import { principalOfUser, type LocalUser, type UserDirectory } from "./user-directory.ts";

/**
 * Returns the caller, or null for wrong credentials. `address` is the normalised IP address. Rejects with RateLimitedError after too many
 * failures.
 */
export type BasicVerifier = (
  encoded: string,
  address: string,
  onLogin: (login: LoginCheckResult) => void,
) => Promise<Principal | null>;

export interface LoginCheckResult {
  /** The name of the user. Null for an unknown user, because the name may be a password that was typed into the wrong field. */
  readonly account: string | null;
  readonly principal: Principal | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const maxNameBytes = 128;
const maxPasswordBytes = 1024;

/**
 * Verifies Basic credentials (RFC 7617, UTF-8). The user's row is read each time, so that changes apply immediately. Only the result of the
 * expensive hash is cached, for `cacheMs` since its last use.
 * Only a wrong name or password counts as a failure. Recently verified credentials always pass, so that others cannot lock out a user. An
 * address with too many failures is refused even with the right password. An account with too many failures still accepts addresses from which
 * it recently logged in.
 * At most two passwords from unknown addresses are checked at a time, and addresses take turns. Rejects with DomainError("unavailable") if too
 * many wait. An account and address that recently logged in together use a separate permit and queue.
 */
export function createBasicVerifier(options: {
  readonly users: UserDirectory;
  readonly throttle: LoginThrottle;
  /** Milliseconds for which a verified password is cached. Default: 15 minutes. */
  readonly cacheMs?: number;
  readonly onCheck?: () => void;
  /** Maximum number of concurrent password checks for addresses that are unknown to the account. Known addresses share one more. Default: 2. */
  readonly maxConcurrent?: number;
  readonly maxWaiting?: number;
  readonly now?: () => number;
}): BasicVerifier {
  const { users, cacheMs = 15 * minuteMs, now = () => performance.now() } = options;
  // The key contains only the name and the password, so that the cache can be searched before the user is read from the database.
  const remembered = createCredentialCache<string>({ cacheMs, now });
  const knownAddresses = createCredentialCache<true>({ cacheMs: dayMs, now });
  const guard = createLoginGuard({ throttle: options.throttle, now });
  const { maxConcurrent = 2, maxWaiting = 32 } = options;
  const refusal = { maxWaiting, refuse: tooManyPasswordChecksError };
  const unknownPermits = createSemaphore({ ...createFairSemaphorePolicy(maxConcurrent), ...refusal });
  const knownPermits = createSemaphore({ ...createFairSemaphorePolicy(1), ...refusal });

  return async (encoded, address, onLogin) => {
    const credentials = decodeBasicCredentials(encoded);
    if (credentials === null) return null;
    const { name, password } = credentials;
    const attempt = { address, account: name };
    const key = remembered.keyOf(name, password);
    const knownKey = knownAddresses.keyOf(name, address);
    const canExist = Buffer.byteLength(name) <= maxNameBytes && Buffer.byteLength(password) <= maxPasswordBytes;
    const findUser = async (): Promise<LocalUser | null> => {
      const row = canExist ? await users.find(name) : null;
      return row === null || row.disabledAt !== null ? null : row;
    };
    const acceptLogin = (user: LocalUser): Principal => {
      remembered.add(key, user.passwordHash);
      knownAddresses.add(knownKey, true);
      return principalOfUser(user);
    };
    const refuseTooManyFailures = async (): Promise<void> => {
      const accountRefusal = await guard.admit(attempt);
      if (accountRefusal !== null && knownAddresses.get(knownKey) !== true) throw accountRefusal;
    };

    const verifiedHash = remembered.get(key);
    if (verifiedHash !== undefined) {
      const user = await findUser();
      if (user?.passwordHash === verifiedHash) return acceptLogin(user);
    }
    // If the queue of checks is full, a login is refused before its failures are read from the database. Otherwise a flood from many addresses
    // would keep the database busy.
    const checks = knownAddresses.get(knownKey) === true ? knownPermits : unknownPermits;
    checks.assertAvailable(address);
    await refuseTooManyFailures();
    return checks.run(address, async () => {
      // The limits are checked again, because other failed logins may have been counted while this login waited for the permit.
      await refuseTooManyFailures();
      const user = await findUser();
      // A password of an unknown user is hashed too, so that timing does not reveal whether the user exists.
      options.onCheck?.();
      const matches = await verifyPassword(user?.passwordHash ?? unmatchablePasswordHash, canExist ? password : "");
      if (!matches || user === null) {
        onLogin({ account: user?.name ?? null, principal: null });
        await guard.countFailure(attempt);
        return null;
      }
      // A correct guess is refused if concurrent guesses have reached the limit meanwhile.
      await refuseTooManyFailures();
      const principal = acceptLogin(user);
      onLogin({ account: user.name, principal });
      return principal;
    });
  };
}

function decodeBasicCredentials(encoded: string): { readonly name: string; readonly password: string } | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString();
  const colon = text.indexOf(":");
  if (!isUtf8(bytes) || colon < 1) return null;
  // RFC 7617 forbids control characters in names and passwords. Postgres would also fail on a NUL in a name.
  if (/\p{Cc}/u.test(text)) return null;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
