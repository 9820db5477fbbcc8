import { hash, randomBytes } from "node:crypto";

const maxEntries = 10_000;

/** What credentials that were verified a moment ago stand for, under a keyed hash: neither passwords, tokens nor what they could be guessed from is kept. */
export interface RememberedCredentials<Value> {
  /** The same parts give the same key, in this process only. */
  keyOf(...parts: readonly string[]): string;
  get(key: string): Value | undefined;
  add(key: string, value: Value): void;
}

/** Makes an empty memory in which every entry lives for `rememberMs`; the oldest go when there are ten thousand. */
export function createRememberedCredentials<Value>(options: {
  readonly rememberMs: number;
  readonly now: () => number;
}): RememberedCredentials<Value> {
  const secret = randomBytes(32).toString("hex");
  const entries = new Map<string, { readonly value: Value; readonly expiry: number }>();
  return {
    // Of every request. HMAC takes several times as long, and guards what nobody can do here: a key that is never seen cannot be extended.
    keyOf: (...parts) => hash("sha256", secret + JSON.stringify(parts), "base64"),
    get(key) {
      const entry = entries.get(key);
      return entry !== undefined && entry.expiry > options.now() ? entry.value : undefined;
    },
    add(key, value) {
      const at = options.now();
      // Every entry lives equally long and a map keeps its order, so the oldest ones stand first.
      for (const [old, { expiry }] of entries) {
        if (expiry > at && entries.size < maxEntries) break;
        entries.delete(old);
      }
      entries.delete(key);
      entries.set(key, { value, expiry: at + options.rememberMs });
    },
  };
}
