import { hash, verify } from "@node-rs/argon2";

// OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, two passes, one lane. The library's algorithm is argon2id by default.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/**
 * A well-formed hash that no known password has. Verifying against it costs the same as against a real one, so that an
 * unknown user name cannot be told from a wrong password by time.
 */
export const unmatchableHash =
  `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$` +
  `${"A".repeat(22)}$${"A".repeat(43)}`;

/** The argon2id hash of a password, in PHC form, with a fresh salt. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** Whether the password belongs to the hash. A hash that cannot be read matches nothing. */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  try {
    return await verify(passwordHash, password);
  } catch {
    return false;
  }
}
