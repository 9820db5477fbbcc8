import { createHmac, randomBytes } from "node:crypto";
import { DomainError } from "@reports/core";
import { unmatchableHash, verifyPassword } from "./password.ts";
import type { Principal } from "./principal.ts";

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

/** Answers who stands behind the credentials of a Basic header, or null when they are wrong. */
export type BasicVerifier = (encoded: string) => Promise<Principal | null>;

const longestNameBytes = 128;
const longestPasswordBytes = 1024;

/**
 * Verifies Basic credentials (RFC 7617, UTF-8). The user's row is read every time, so that a disabled user, a new password and
 * changed authorities count at once; only the costly hash is remembered, for `rememberMs`, under a keyed hash of name, password
 * and stored hash. At most `maxConcurrent` hashes run and `maxWaiting` wait; beyond that a DomainError("unavailable") is thrown.
 */
export function createBasicVerifier(options: {
  readonly users: UserDirectory;
  readonly rememberMs?: number;
  readonly maxConcurrent?: number;
  readonly maxWaiting?: number;
  readonly now?: () => number;
}): BasicVerifier {
  const { users, rememberMs = 30_000, maxConcurrent = 2, maxWaiting = 32, now = Date.now } = options;
  const remembered = createVerifiedCredentials({ rememberMs, now });
  const limited = createLimiter(maxConcurrent, maxWaiting);

  return async (encoded) => {
    const credentials = decodeCredentials(encoded);
    if (credentials === null) return null;
    const row = await users.find(credentials.name);
    const user = row === null || row.disabledAt !== null ? null : row;
    const passwordHash = user?.passwordHash ?? unmatchableHash;
    const key = remembered.keyOf(credentials.name, credentials.password, passwordHash);
    if (!remembered.has(key)) {
      const matches = await limited(() => verifyPassword(passwordHash, credentials.password));
      if (!matches || user === null) return null;
      remembered.add(key);
    }
    if (user === null) return null;
    return { id: `basic:${user.name}`, kind: "basic", authorities: new Set(user.authorities) };
  };
}

function decodeCredentials(encoded: string): { name: string; password: string } | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const text = decodeUtf8(Buffer.from(encoded, "base64"));
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon < 1) return null;
  const name = text.slice(0, colon);
  const password = text.slice(colon + 1);
  if (Buffer.byteLength(name) > longestNameBytes || Buffer.byteLength(password) > longestPasswordBytes) return null;
  // Control characters are what RFC 7617 forbids; Postgres would refuse a NUL with an error of its own.
  if (/\p{Cc}/u.test(text)) return null;
  return { name, password };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function createVerifiedCredentials(options: { readonly rememberMs: number; readonly now: () => number }) {
  const secret = randomBytes(32);
  const expiries = new Map<string, number>();
  const maxEntries = 10_000;
  return {
    keyOf: (...parts: readonly string[]) => createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64"),
    has: (key: string) => (expiries.get(key) ?? 0) > options.now(),
    add(key: string) {
      const at = options.now();
      // Every entry lives equally long and a map keeps its order, so the oldest ones stand first.
      for (const [old, expiry] of expiries) {
        if (expiry > at && expiries.size < maxEntries) break;
        expiries.delete(old);
      }
      expiries.delete(key);
      expiries.set(key, at + options.rememberMs);
    },
  };
}

function createLimiter(maxConcurrent: number, maxWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxConcurrent) {
      if (waiting.length >= maxWaiting) {
        throw new DomainError(
          "unavailable",
          "login-busy",
          "Too many passwords are being checked at once. Try again in a moment.",
          {
            retryAfterSeconds: 1,
          },
        );
      }
      // Whoever ends hands its slot on, so that `running` is never above the limit.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
