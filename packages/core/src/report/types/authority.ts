// RFC 6749 §3.3's scope token, so that every authority can also travel in a `scope` claim.
const authorityPattern = /^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/;

/** What an authority must be, in words that complete "… must be". */
export const authorityRule = "1-100 visible characters without quotes and backslashes";

/** Whether a value can be an authority. */
export function isAuthority(value: unknown): value is string {
  return typeof value === "string" && authorityPattern.test(value);
}
