import { hash, verify } from "@node-rs/argon2";

// Parameters of argon2id from the OWASP Password Storage Cheat Sheet: 19 MiB of memory, two passes, one lane. They are also the defaults of the
// library.
const hashOptions = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

/**
 * A hash that no known password matches. Checking a password against it takes as long as against a real hash, so that timing does not reveal
 * unknown users.
 */
export const unmatchablePasswordHash =
  `$argon2id$v=19$m=${hashOptions.memoryCost},t=${hashOptions.timeCost},p=${hashOptions.parallelism}$` +
  `${"A".repeat(22)}$${"A".repeat(43)}`;

export async function hashPassword(password: string): Promise<string> {
  return hash(password, hashOptions);
}

/** Reports whether a password matches a hash. An unreadable hash never matches. */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  try {
    return await verify(passwordHash, password);
  } catch {
    return false;
  }
}
