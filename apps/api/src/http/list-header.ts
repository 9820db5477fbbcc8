/** Empty elements of one header that are ignored. */
export const maxEmptyElements = 100;

/**
 * Returns up to `maxElements` elements of a list header, trimmed. Ignores up to a hundred empty ones, which joining leaves behind, and
 * then stops. RFC 9110 §5.6.1.2.
 */
export function listElements(header: string, maxElements: number): readonly string[] {
  return header
    .split(",", maxElements + maxEmptyElements)
    .map((element) => element.trim())
    .filter((element) => element !== "")
    .slice(0, maxElements);
}
