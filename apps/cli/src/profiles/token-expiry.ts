/** Returns when a token expires, in milliseconds, or null if that is not known. Reads the claim `exp` (RFC 7519 §4.1.4) without a check of the signature. */
export function tokenExpiry(token: string): number | null {
  const [, claims, signature] = token.split(".");
  if (claims === undefined || signature === undefined) return null;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { readonly exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : null;
  } catch {
    return null;
  }
}
