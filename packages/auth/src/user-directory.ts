import { userPrincipalPrefix } from "@reports/core/caller";
import type { Principal } from "./principal.ts";

export interface BasicUser {
  readonly name: string;
  readonly passwordHash: string;
  readonly authorities: readonly string[];
  /** When the user was disabled. A user with this time may not log in. */
  readonly disabledAt: Date | null;
}

/** Finds local users by name. `find` rejects with StoreUnavailableError. */
export interface UserDirectory {
  find(name: string): Promise<BasicUser | null>;
}

export function principalOfUser(user: BasicUser): Principal {
  const id = `${userPrincipalPrefix}${user.name}`;
  return { id, kind: "basic", displayName: null, authorities: new Set(user.authorities), endsAt: null };
}
