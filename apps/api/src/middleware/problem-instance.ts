import { isId } from "@reports/runtime";

/** Longest path segment, in characters, that may mix upper and lower case. The longer fixed names in paths, such as report types, have one case. */
const maxMixedCaseLength = 24;

/**
 * Returns a problem's `instance`: the path of the request. Returns an empty text if a segment, mistyped or percent-encoded, may be the token of
 * a download link, because the token gives access to a file. docs/reference/resources/download-links.md#links.
 */
export function toSafeInstance(path: string): string {
  return path.split("/").some(mayBeLinkToken) ? "" : path;
}

function mayBeLinkToken(segment: string): boolean {
  const text = segment.includes("%") ? decodeSegment(segment) : segment;
  return text.length > maxMixedCaseLength && !isId(text.toLowerCase()) && !/^(?:[A-Z0-9_]+|[a-z-]+)$/.test(text);
}

/** Decodes a path segment once. If a token is encoded twice, the result is still long and of mixed case, so mayBeLinkToken recognizes it. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
