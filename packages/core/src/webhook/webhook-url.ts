/** Normalises a URL by the WHATWG URL Standard, and removes a final dot of its host. Returns null for a text that is not a URL. */
export function normaliseWebhookUrl(text: string): string | null {
  const url = URL.parse(text);
  if (url === null) return null;
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  return url.href;
}
