// Matches a scope token of RFC 6749 §3.3, so that every authority fits into the `scope` claim of a token.
const authorityPattern = /^[\x21\x23-\x5B\x5D-\x7E]{1,100}$/;

export const authorityRule = "1-100 visible characters without quotes and backslashes";

export function isAuthority(value: unknown): value is string {
  return typeof value === "string" && authorityPattern.test(value);
}
