import { hash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";

const maxEntries = 10_000;

/** Recently verified credentials under a keyed hash: stores neither passwords nor tokens, nor anything from which they could be guessed. */
export interface RememberedCredentials<Value extends object | string | true> {
  /** Equal parts have equal keys, in this process only. */
  keyOf(...parts: readonly string[]): string;
  get(key: string): Value | undefined;
  add(key: string, value: Value): void;
}

/** Each entry lives for `rememberMs` (0: none is stored). Beyond ten thousand, the least recently used go. */
export function createRememberedCredentials<Value extends object | string | true>(options: {
  readonly rememberMs: number;
  readonly now: () => number;
}): RememberedCredentials<Value> {
  const secret = randomBytes(32).toString("hex");
  const entries = new LRUCache<string, Value>({
    max: maxEntries,
    ttl: options.rememberMs,
    ttlResolution: 0,
    perf: { now: options.now },
  });
  return {
    // Hashed per request. HMAC takes several times as long, and only prevents extending a key, which nobody sees.
    keyOf: (...parts) => hash("sha256", secret + JSON.stringify(parts), "base64"),
    get: (key) => entries.get(key),
    add(key, value) {
      // To the cache 0 would mean for ever.
      if (options.rememberMs > 0) entries.set(key, value);
    },
  };
}
