import { userPrincipalPrefix } from "@reports/core/caller";
import type { Principal } from "./principal.ts";

export interface BasicUser {
  readonly name: string;
  /** An argon2id hash in PHC format. */
  readonly passwordHash: string;
  readonly authorities: readonly string[];
  /** Set if the user may not log in. */
  readonly disabledAt: Date | null;
}

/** The local users. `find` rejects with StoreUnavailableError. */
export interface UserDirectory {
  find(name: string): Promise<BasicUser | null>;
}

export function principalOfUser(user: BasicUser): Principal {
  const id = `${userPrincipalPrefix}${user.name}`;
  return { id, kind: "basic", displayName: null, authorities: new Set(user.authorities), endsAt: null };
}
