/** Returns `Content-Disposition` for a download (RFC 6266), with the file name in ASCII and, if needed, also in UTF-8. Replaces or removes unsafe characters. */
export function formatContentDisposition(fileName: string): string {
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

/** Encodes a text as RFC 8187 requires. encodeURIComponent leaves four characters unchanged that RFC 8187 forbids. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
