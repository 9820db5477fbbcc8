// Written by `pnpm generate client-enumerations` from the schemas of the wire.
/** The caller of this request. */
export interface Caller {
  /** The principal, as records name it: basic:alice, or issuer|subject. */
  readonly id: string;
  /** Authorities of the caller, in alphabetical order. */
  readonly authorities: readonly string[];
}

/** A bearer token. RFC 6749 §5.1. */
export interface Token {
  /** The token for the header Authorization: Bearer. */
  readonly access_token: string;
  /** How it is sent. */
  readonly token_type: "Bearer";
  /** In seconds. */
  readonly expires_in: number;
}
