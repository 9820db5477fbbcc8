/** The JSON pointer (RFC 6901) of a place in a document; `""` is the whole of it. */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
