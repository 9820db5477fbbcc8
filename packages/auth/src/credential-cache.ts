import { hash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";

const maxEntries = 10_000;

/**
 * A cache of recently verified credentials. Its keys are hashes with a random secret, so that a dump of the memory contains no passwords and no
 * tokens, and nothing to guess them from.
 */
export interface CredentialCache<Value extends object | string | true> {
  keyOf(...parts: readonly string[]): string;
  get(key: string): Value | undefined;
  add(key: string, value: Value): void;
}

export function createCredentialCache<Value extends object | string | true>(options: {
  readonly cacheMs: number;
  readonly now: () => number;
}): CredentialCache<Value> {
  const secret = randomBytes(32).toString("hex");
  // Made for the first entry, because it allocates memory for all entries, and many processes never verify credentials of this kind.
  let entries: LRUCache<string, Value> | undefined;
  return {
    // A plain SHA-256 suffices here and is fast enough for every request. HMAC would take several times as long, only to prevent the length
    // extension of a hash that nobody sees.
    keyOf: (...parts) => hash("sha256", secret + JSON.stringify(parts), "base64"),
    get: (key) => entries?.get(key),
    add(key, value) {
      // With the TTL 0, lru-cache would keep an entry forever.
      if (options.cacheMs <= 0) return;
      entries ??= new LRUCache<string, Value>({
        max: maxEntries,
        ttl: options.cacheMs,
        ttlResolution: 0,
        perf: { now: options.now },
      });
      entries.set(key, value);
    },
  };
}
