import { userPrincipalPrefix } from "@reports/core/caller";
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

/** The caller that a user is, with the authorities of the user's row. */
export function principalOfUser(user: BasicUser): Principal {
  const id = `${userPrincipalPrefix}${user.name}`;
  return { id, kind: "basic", displayName: null, authorities: new Set(user.authorities), endsAt: null };
}
