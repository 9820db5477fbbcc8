/** Maximum length of a URL in characters, which is Excel's limit for links. */
const maxLinkLength = 2_083;
// Excludes @, which ends credentials, and backslashes, line breaks and tabs, which URL parsers replace or remove.
const plainHttpsUrl = /^https:\/\/[^\s/?#@\\\p{Cc}]+([/?#]\P{Cc}*)?$/iu;

/** Returns an https URL in ASCII characters; null for other text, and for URLs that have credentials or control characters or are too long. */
export function parseHttpsUrl(text: string): string | null {
  if (text.length > maxLinkLength || !plainHttpsUrl.test(text)) return null;
  const url = URL.parse(text)?.href ?? null;
  return url === null || url.length > maxLinkLength ? null : url;
}
