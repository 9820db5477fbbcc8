import type { TextForm } from "../query/filters.ts";

/** Prefix of our own users' principal IDs. No other principal's ID begins with it. */
export const userPrincipalPrefix = "basic:";

/** In bytes of UTF-8: it is stored with reports and indexed, and index entries have a limit. */
export const longestPrincipalBytes = 1024;

/** A principal's ID, existing or not. In list queries `me` is the caller's. docs/reference/resources/access.md#credentials. */
export const principal: TextForm = {
  normalise: (text) => (isPrincipal(text) ? text : null),
  rule: "me or a principal with its namespace, such as basic:alice or https://issuer.example|alice",
};

function isPrincipal(text: string): boolean {
  const name = text.startsWith(userPrincipalPrefix)
    ? text.slice(userPrincipalPrefix.length)
    : text.includes("|")
      ? text.slice(text.indexOf("|") + 1)
      : "";
  return name !== "" && Buffer.byteLength(text) <= longestPrincipalBytes;
}
