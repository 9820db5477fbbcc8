/** Longest URL of a link in characters, which is the limit of Excel. */
const maxLinkLength = 2_083;
// Credentials end with @. URL parsers read a backslash as a slash, and skip line breaks and tabs.
const plainHttpsUrl = /^https:\/\/[^\s/?#@\\\p{Cc}]+([/?#]\P{Cc}*)?$/iu;

/** Returns the URL of a link in ASCII characters; null for any text but an https URL without credentials and control characters. */
export function readHttpsLink(text: string): string | null {
  if (text.length > maxLinkLength || !plainHttpsUrl.test(text)) return null;
  const url = URL.parse(text)?.href ?? null;
  return url === null || url.length > maxLinkLength ? null : url;
}
