/**
 * Returns a URL in the one spelling of the WHATWG URL Standard, without a dot at the end of its host: lower-case ASCII host, no default port,
 * slashes for backslashes. Null for a text that is not a URL.
 */
export function normalUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return null;
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  return url.href;
}
