/** Normalises a URL by the WHATWG URL Standard, without a final dot of its host. Null if it is not a URL. */
export function normalUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return null;
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  return url.href;
}
