import { isUtf8 } from "node:buffer";

export interface BasicCredentials {
  readonly name: string;
  readonly password: string;
}

export function decodeBasicCredentials(encoded: string): BasicCredentials | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString();
  const colon = text.indexOf(":");
  if (!isUtf8(bytes) || colon < 1) return null;
  // RFC 7617 forbids control characters in names and passwords. Postgres would also fail on a NUL in a name.
  if (/\p{Cc}/u.test(text)) return null;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
