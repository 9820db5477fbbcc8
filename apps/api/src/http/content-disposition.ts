/** `Content-Disposition` of a file (RFC 6266), without separators, controls and direction marks: ASCII, and UTF-8 if needed. */
export function attachment(fileName: string): string {
  const safe = fileName
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[/\\:*?"<>|%;]/g, "_");
  const name = safe === "" ? "report" : safe;
  const ascii = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\x20-\x7e]/g, "_");
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encodeExtended(name)}`;
}

/** RFC 8187: encodeURIComponent, plus its exceptions that are no attr-char. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
