/** A bearer token. RFC 6749 §5.1. */
export interface Token {
  readonly access_token: string;
  readonly token_type: "Bearer";
  /** In seconds. */
  readonly expires_in: number;
}
