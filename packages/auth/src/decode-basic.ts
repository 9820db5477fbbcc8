export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

export function decodeBasicCredentials(encoded: string): BasicCredentials | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const text = decodeUtf8(Buffer.from(encoded, "base64"));
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon < 1) return null;
  // RFC 7617 forbids control characters in names and passwords. Postgres would also fail on a NUL in a name.
  if (/\p{Cc}/u.test(text)) return null;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
