export const maxEmptyListElements = 100;

/** Returns up to `maxElements` trimmed elements of a comma-separated header. Ignores up to a hundred empty elements (RFC 9110 §5.6.1.2). */
export function splitListHeader(header: string, maxElements: number): readonly string[] {
  return header
    .split(",", maxElements + maxEmptyListElements)
    .map((element) => element.trim())
    .filter((element) => element !== "")
    .slice(0, maxElements);
}
