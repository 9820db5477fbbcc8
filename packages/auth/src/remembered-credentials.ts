import { createHmac, randomBytes } from "node:crypto";

const maxEntries = 10_000;

/** Credentials that were verified a moment ago, under a keyed hash: neither passwords nor what they could be guessed from is kept. */
export interface RememberedCredentials {
  /** The same parts give the same key, in this process only. */
  keyOf(...parts: readonly string[]): string;
  has(key: string): boolean;
  add(key: string): void;
}

/** Makes an empty memory in which every entry lives for `rememberMs`; the oldest go when there are ten thousand. */
export function createRememberedCredentials(options: {
  readonly rememberMs: number;
  readonly now: () => number;
}): RememberedCredentials {
  const secret = randomBytes(32);
  const expiries = new Map<string, number>();
  return {
    keyOf: (...parts) => createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64"),
    has: (key) => (expiries.get(key) ?? 0) > options.now(),
    add(key) {
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
