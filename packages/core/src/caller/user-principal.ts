import type { TextForm } from "../query/filters.ts";

/** Prefix of the principal IDs of local users, such as `basic:alice`. No other principal ID begins with this prefix. */
export const userPrincipalPrefix = "basic:";

/** Largest length of a principal ID in UTF-8 bytes. Postgres indexes these IDs and limits the size of an index entry. */
export const maxPrincipalBytes = 1024;

/** Form of a principal ID, existing or not. List queries also accept `me`, the caller. docs/reference/resources/access.md#credentials. */
export const principalTextForm: TextForm = {
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
