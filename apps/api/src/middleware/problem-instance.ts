import { isId } from "@reports/runtime";

/** Longer names in our paths (report types, slugs of problems) have only one case. In characters. */
const maxMixedLength = 24;

/**
 * Returns a problem's `instance`: the request's path, or nothing if a segment could be a link's token, which opens a file. A token may be anywhere: on a
 * mistyped path, as an ID, percent-encoded. docs/reference/resources/download-links.md#links.
 */
export function problemInstance(path: string): string {
  return path.split("/").some(isOpaque) ? "" : path;
}

function isOpaque(segment: string): boolean {
  const text = segment.includes("%") ? decoded(segment) : segment;
  return text.length > maxMixedLength && !isId(text.toLowerCase()) && !/^(?:[A-Z0-9_]+|[a-z-]+)$/.test(text);
}

/** Decodes once. A doubly encoded segment stays long and mixed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
