export type CredentialKind = "basic" | "bearer" | "none";

export interface Principal {
  /** `basic:alice` for a local user, or `issuer|subject` for the holder of another issuer's token. */
  readonly id: string;
  readonly kind: CredentialKind;
  readonly displayName: string | null;
  readonly authorities: ReadonlySet<string>;
  /** When the token expires: its `exp` or its maximum age, whichever is earlier, without clock tolerance. Null for a name and a password. */
  readonly endsAt: Date | null;
}

export const anonymousPrincipal: Principal = {
  id: "anonymous",
  kind: "none",
  displayName: null,
  authorities: new Set(),
  endsAt: null,
};
