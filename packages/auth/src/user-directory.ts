import { userPrincipalPrefix } from "@reports/core/caller";
import type { Principal } from "./principal.ts";

export interface LocalUser {
  readonly name: string;
  readonly passwordHash: string;
  readonly authorities: readonly string[];
  readonly disabledAt: Date | null;
}

export interface UserDirectory {
  find(name: string): Promise<LocalUser | null>;
}

export function principalOfUser(user: LocalUser): Principal {
  const id = `${userPrincipalPrefix}${user.name}`;
  return { id, kind: "basic", displayName: null, authorities: new Set(user.authorities), endsAt: null };
}
