/** Empty elements of one header that are passed over. */
export const maxEmptyElements = 100;

/**
 * The elements of a header that is a list, trimmed, of which at most `maxElements` are read. Empty ones, which senders leave behind when
 * they join values, are passed over and not counted (RFC 9110 §5.6.1.2), a hundred of them; what comes after that is not read.
 */
export function listElements(header: string, maxElements: number): readonly string[] {
  return header
    .split(",", maxElements + maxEmptyElements)
    .map((element) => element.trim())
    .filter((element) => element !== "")
    .slice(0, maxElements);
}
