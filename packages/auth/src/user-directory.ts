import { userPrincipalPrefix } from "@reports/core/caller";
import type { Principal } from "./principal.ts";

export interface BasicUser {
  readonly name: string;
  /** argon2id, PHC form. */
  readonly passwordHash: string;
  readonly authorities: readonly string[];
  /** Set: the user may not sign in. */
  readonly disabledAt: Date | null;
}

/** Rejects with StoreUnavailableError. */
export interface UserDirectory {
  find(name: string): Promise<BasicUser | null>;
}

export function principalOfUser(user: BasicUser): Principal {
  const id = `${userPrincipalPrefix}${user.name}`;
  return { id, kind: "basic", displayName: null, authorities: new Set(user.authorities), endsAt: null };
}
