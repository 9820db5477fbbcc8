/** Returns when a token expires, in ms since 1970, from its claim `exp` (RFC 7519). Does not check the signature. Returns null if unknown. */
export function readTokenExpiryMs(token: string): number | null {
  const [, claims, signature] = token.split(".");
  if (claims === undefined || signature === undefined) return null;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { readonly exp?: unknown };
    return typeof exp === "number" ? exp * 1000 : null;
  } catch {
    return null;
  }
}
