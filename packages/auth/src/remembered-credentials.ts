import { hash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";

const maxEntries = 10_000;

/** What credentials that were verified a moment ago stand for, under a keyed hash: neither passwords, tokens nor what they could be guessed from is kept. */
export interface RememberedCredentials<Value extends object | string | true> {
  /** The same parts give the same key, in this process only. */
  keyOf(...parts: readonly string[]): string;
  get(key: string): Value | undefined;
  add(key: string, value: Value): void;
}

/**
 * Makes an empty memory in which every entry lives for `rememberMs` (0: none is kept); when there are ten thousand, those go that were used
 * the longest ago.
 */
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
    // Of every request. HMAC takes several times as long, and guards what nobody can do here: a key that is never seen cannot be extended.
    keyOf: (...parts) => hash("sha256", secret + JSON.stringify(parts), "base64"),
    get: (key) => entries.get(key),
    add(key, value) {
      // To the cache 0 would be for ever.
      if (options.rememberMs > 0) entries.set(key, value);
    },
  };
}
