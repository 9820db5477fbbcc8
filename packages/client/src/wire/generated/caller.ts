// Written by `pnpm generate client-enumerations` from the schemas of the wire.
/** The caller of this request. */
export interface Caller {
  /** The principal of the caller, such as basic:alice or issuer|subject. Records name it in the same way. */
  readonly id: string;
  /** Authorities that the caller has now, in alphabetical order. */
  readonly authorities: readonly string[];
}

/** A bearer token. RFC 6749 §5.1. */
export interface Token {
  /** The token for the header Authorization: Bearer. */
  readonly access_token: string;
  /** Scheme of the header Authorization in which the token is sent. */
  readonly token_type: "Bearer";
  /** Seconds until the token expires. */
  readonly expires_in: number;
}
