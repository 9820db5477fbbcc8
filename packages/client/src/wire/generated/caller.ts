// Written by `pnpm generate client-enumerations` from the schemas of the wire.
/** Who sends the request. */
export interface Caller {
  /** The principal, as records name it: basic:alice, or issuer|subject. */
  readonly id: string;
  /** What the caller holds, in alphabetical order. */
  readonly authorities: readonly string[];
}

/** A bearer token. RFC 6749 §5.1. */
export interface Token {
  /** What Authorization: Bearer takes. */
  readonly access_token: string;
  /** How it is sent. */
  readonly token_type: "Bearer";
  /** In seconds. */
  readonly expires_in: number;
}
