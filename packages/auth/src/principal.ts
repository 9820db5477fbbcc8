/** How a caller proved who they are. */
export type CredentialKind = "basic" | "bearer" | "none";

/** An authenticated caller. */
export interface Principal {
  /** Namespaced, so that the two schemes can never name one another's callers: `basic:alice`, or `issuer|subject`. */
  readonly id: string;
  readonly kind: CredentialKind;
  /** What people call the caller; shown to people, and nothing else depends on it. Null where the credentials do not say. */
  readonly displayName: string | null;
  /** Exact authority strings; asked by `has`, never by searching a text. */
  readonly authorities: ReadonlySet<string>;
  /** When the credentials end, without tolerance for clocks: a token's `exp`, or its greatest age. Null for a name and a password. */
  readonly endsAt: Date | null;
}

/** The caller of what needs no credentials. */
export const anonymous: Principal = {
  id: "anonymous",
  kind: "none",
  displayName: null,
  authorities: new Set(),
  endsAt: null,
};
