import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Returns 8 hexadecimal digits of the key's SHA-256, which reveal nothing about a random key. A sealed text begins with them. */
export function keyFingerprintOf(key: Uint8Array): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

export interface Sealer {
  /** Encrypts a text with the first key. Only `open` with the same `context`, such as the ID of the record, decrypts the text. */
  seal(text: string, context: string): string;
  /** Decrypts a text. Returns null if the context differs, the text was changed, or none of the keys encrypted it. */
  open(sealed: string, context: string): string | null;
}

/**
 * Creates the encryption of stored secrets by AES-256-GCM. The first of the 32-byte keys encrypts, and each of them decrypts, so that a key can
 * be replaced.
 */
export function createSealer(keys: readonly [Uint8Array, ...Uint8Array[]]): Sealer {
  const named = keys.map((key) => ({ key, name: keyFingerprintOf(key) }));
  return {
    seal(text, context) {
      const { key, name } = named[0]!;
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
      const bytes = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${name}.${Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString("base64url")}`;
    },
    open(sealed, context) {
      const [name, text = ""] = sealed.split(".", 2);
      const key = named.find((each) => each.name === name)?.key;
      const bytes = Buffer.from(text, "base64url");
      if (key === undefined || bytes.length < nonceBytes + tagBytes) return null;
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
        return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
      } catch {
        return null;
      }
    },
  };
}
