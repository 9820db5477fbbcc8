/** Returns `Content-Disposition` for a download (RFC 6266), in ASCII and, if needed, UTF-8. Unsafe characters of the name are replaced or removed. */
export function formatAttachment(fileName: string): string {
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

/** Encodes a text for RFC 8187, which forbids four characters that encodeURIComponent leaves unchanged. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
