import { isId } from "@reports/runtime";

/** Longest segment, in characters, that may mix upper and lower case. Longer names in our paths, such as report types, have one case. */
const maxMixedCaseLength = 24;

/**
 * Returns a problem's `instance`: the path of the request. Returns an empty text if a segment could be the token of a download link, because the
 * token gives access to a file. A token may be in a mistyped path or percent-encoded. docs/reference/resources/download-links.md#links.
 */
export function toSafeInstance(path: string): string {
  return path.split("/").some(mayBeLinkToken) ? "" : path;
}

function mayBeLinkToken(segment: string): boolean {
  const text = segment.includes("%") ? decodeSegment(segment) : segment;
  return text.length > maxMixedCaseLength && !isId(text.toLowerCase()) && !/^(?:[A-Z0-9_]+|[a-z-]+)$/.test(text);
}

/** Decodes a segment once. A token that is encoded twice is still long and of mixed case, so that mayBeLinkToken finds it. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
