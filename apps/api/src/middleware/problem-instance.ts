import { isUuidV7 } from "@reports/runtime";

/**
 * Maximum length, in characters, of a path segment with upper and lower case. Longer fixed segments, such as report types, have one case only, but
 * tokens of links have both.
 */
const maxMixedCaseLength = 24;

/**
 * Returns a problem's `instance`: the path of the request. Returns an empty text if a segment may be the token of a download link, even a mistyped
 * or percent-encoded one. Such a token gives access to a file. docs/reference/resources/download-links.md#links.
 */
export function toProblemInstance(path: string): string {
  return path.split("/").some(mayBeLinkToken) ? "" : path;
}

function mayBeLinkToken(segment: string): boolean {
  const text = segment.includes("%") ? decodeSegment(segment) : segment;
  return text.length > maxMixedCaseLength && !isUuidV7(text.toLowerCase()) && !/^(?:[A-Z0-9_]+|[a-z-]+)$/.test(text);
}

/** Decodes a path segment once. A token that is encoded twice still is long and of mixed case after that, so mayBeLinkToken recognizes it. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
