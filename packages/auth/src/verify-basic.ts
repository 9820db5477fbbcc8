import { createSemaphore, fairPolicy } from "@reports/core/base";
import type { LoginThrottle } from "@reports/core/caller";
import { decodeBasicCredentials } from "./decode-basic.ts";
import { createLoginGuard } from "./login-guard.ts";
import { unmatchableHash, verifyPassword } from "./password.ts";
import type { Principal } from "./principal.ts";
import { createRememberedCredentials } from "./remembered-credentials.ts";
import { tooManyChecks } from "./too-many-checks.ts";
import { principalOfUser } from "./user-directory.ts";
import type { BasicUser, UserDirectory } from "./user-directory.ts";

/**
 * Answers who stands behind the credentials of a Basic header, or null when they are wrong. `address` is where they come from, in one
 * canonical spelling. Rejects with RateLimitedError while there are too many failures from there.
 */
export type BasicVerifier = (
  encoded: string,
  address: string,
  onLogin: (login: CheckedLogin) => void,
) => Promise<Principal | null>;

/** A name and a password that were looked at: not what is remembered, and not what was refused unseen. */
export interface CheckedLogin {
  /** The user's name; null where there is no such user, because people type passwords into the wrong field. */
  readonly account: string | null;
  /** Who it is when the password was right. */
  readonly principal: Principal | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const longestNameBytes = 128;
const longestPasswordBytes = 1024;

/**
 * Verifies Basic credentials (RFC 7617, UTF-8). The user's row is read every time, so that a disabled user, a new password and
 * changed authorities count at once; only the costly hash is remembered, for `rememberMs` since the last use, under a keyed hash.
 *
 * Only a wrong name or password counts as a failure. What was verified lately passes whatever fails beside it: others cannot lock out
 * those who are there. An address with too many failures learns nothing else, not even of a success; an account that is guessed at from
 * many addresses stays open to the addresses from which its password was shown lately.
 *
 * At most two passwords of strangers are looked at at once, and addresses take turns; rejects with DomainError("unavailable") when too many
 * wait. Names that have shown their password from their address lately have a place and a queue of their own: a third password at once.
 */
export function createBasicVerifier(options: {
  readonly users: UserDirectory;
  readonly throttle: LoginThrottle;
  /** Default 15 minutes. */
  readonly rememberMs?: number;
  /** For how long an address is known to an account since it last showed its password. Default a day. */
  readonly rememberAddressMs?: number;
  /** Is told of every password that is hashed: what a login costs. */
  readonly onCheck?: () => void;
  /** Of strangers; one more of those who are known. Default 2. */
  readonly maxConcurrent?: number;
  readonly maxWaiting?: number;
  readonly now?: () => number;
}): BasicVerifier {
  const { users, rememberMs = 15 * minuteMs, rememberAddressMs = dayMs, now = () => performance.now() } = options;
  // Keyed by name and password alone, so that a flood of guesses finds nothing here and reads no user for it.
  const remembered = createRememberedCredentials<string>({ rememberMs, now });
  const knownAddresses = createRememberedCredentials<true>({ rememberMs: rememberAddressMs, now });
  const guard = createLoginGuard({ throttle: options.throttle, now });
  const { maxConcurrent = 2, maxWaiting = 32 } = options;
  const refusal = { maxWaiting, refuse: tooManyChecks };
  const ofStrangers = createSemaphore({ ...fairPolicy(maxConcurrent), ...refusal });
  const ofKnown = createSemaphore({ ...fairPolicy(1), ...refusal });

  return async (encoded, address, onLogin) => {
    const credentials = decodeBasicCredentials(encoded);
    if (credentials === null) return null;
    const { name, password } = credentials;
    const attempt = { address, account: name };
    const key = remembered.keyOf(name, password);
    const knownKey = knownAddresses.keyOf(name, address);
    const canExist = Buffer.byteLength(name) <= longestNameBytes && Buffer.byteLength(password) <= longestPasswordBytes;
    const findUser = async (): Promise<BasicUser | null> => {
      const row = canExist ? await users.find(name) : null;
      return row === null || row.disabledAt !== null ? null : row;
    };
    const welcome = (user: BasicUser): Principal => {
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
      if (user?.passwordHash === verifiedHash) return welcome(user);
    }
    // Before anything is asked of the database: a flood from many addresses would keep it from those who are known.
    const checks = knownAddresses.get(knownKey) === true ? ofKnown : ofStrangers;
    checks.assertAvailable(address);
    await refuseTooManyFailures();
    return checks.run(address, async () => {
      // Failures that were counted while this waited are failures before it.
      await refuseTooManyFailures();
      const user = await findUser();
      // Unknown users cost the same hash as known ones, so that time does not tell them apart.
      options.onCheck?.();
      const matches = await verifyPassword(user?.passwordHash ?? unmatchableHash, canExist ? password : "");
      if (!matches || user === null) {
        onLogin({ account: user?.name ?? null, principal: null });
        await guard.countFailure(attempt);
        return null;
      }
      // A right guess is told only while the failures of others beside it are not too many.
      await refuseTooManyFailures();
      const principal = welcome(user);
      onLogin({ account: user.name, principal });
      return principal;
    });
  };
}
