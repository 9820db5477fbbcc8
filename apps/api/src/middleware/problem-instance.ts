import { isId } from "@reports/runtime";

/** Longer names in our paths have one case only (report types, slugs of problems). In characters. */
const maxMixedLength = 24;

/**
 * Returns the `instance` of a problem: the request's path, or nothing where a segment could be the token of a link, which opens a file.
 * Readers pass problems on. A token may come in any place: on a mistyped path, as an id, percent-encoded. docs/reference/resources/download-links.md#links.
 */
export function problemInstance(path: string): string {
  return path.split("/").some(isOpaque) ? "" : path;
}

function isOpaque(segment: string): boolean {
  const text = segment.includes("%") ? decoded(segment) : segment;
  return text.length > maxMixedLength && !isId(text.toLowerCase()) && !/^(?:[A-Z0-9_]+|[a-z-]+)$/.test(text);
}

/** Decodes once. A segment that is encoded twice stays long and mixed. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
