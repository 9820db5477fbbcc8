import type { TextForm } from "../query/filters.ts";

/** What stands before the name of one of our own users in a principal's id. No other principal's id begins so. */
export const userPrincipalPrefix = "basic:";

/** The longest id of a principal, in bytes of UTF-8: it is kept with reports and stands in an index, whose entries have a limit. */
export const longestPrincipalBytes = 1024;

/** An id of a principal, whether or not there is one; in the query of a list `me` stands for that of the caller. docs/reference/resources/access.md#credentials. */
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
