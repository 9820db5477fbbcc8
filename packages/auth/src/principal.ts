export type CredentialKind = "basic" | "bearer" | "none";

export interface Principal {
  /** Namespaced per scheme: `basic:alice`, or `issuer|subject`. */
  readonly id: string;
  readonly kind: CredentialKind;
  /** Only for display. Null if the credentials have none. */
  readonly displayName: string | null;
  readonly authorities: ReadonlySet<string>;
  /** When the credentials expire, without clock tolerance: a token's `exp`, or its greatest age. Null for a name and a password. */
  readonly endsAt: Date | null;
}

export const anonymous: Principal = {
  id: "anonymous",
  kind: "none",
  displayName: null,
  authorities: new Set(),
  endsAt: null,
};
