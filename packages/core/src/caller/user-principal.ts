import type { TextForm } from "../query/filters.ts";

/** Prefix of the principal IDs of local users. No other principal ID begins with this prefix. */
export const userPrincipalPrefix = "basic:";

/** Longest principal ID in bytes of UTF-8. Postgres indexes these IDs and limits the size of an index entry. */
export const maxPrincipalBytes = 1024;

/** Form of a principal ID, whether the principal exists or not. List queries also accept `me` for the caller. docs/reference/resources/access.md#credentials. */
export const principalForm: TextForm = {
  normalise: (text) => (isPrincipal(text) ? text : null),
  rule: "me or a principal with its namespace, such as basic:alice or https://issuer.example|alice",
};

function isPrincipal(text: string): boolean {
  const name = text.startsWith(userPrincipalPrefix)
    ? text.slice(userPrincipalPrefix.length)
    : text.includes("|")
      ? text.slice(text.indexOf("|") + 1)
      : "";
  return name !== "" && Buffer.byteLength(text) <= maxPrincipalBytes;
}
