import { maxEmptyListElements } from "./list-header.ts";

export interface HttpValidators {
  readonly etag: string;
  readonly lastModified?: Date;
  /** Returns the part of an entity tag that If-Match compares. Null means that the tag can never match. By default, If-Match compares the whole tag. */
  readonly partForIfMatch?: (tag: string) => string | null;
}

export interface ConditionalHeaders {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
  readonly ifRange?: string | undefined;
}

export type HttpConditionOutcome =
  | "proceed"
  | "not-modified"
  | { readonly failed: "If-Match" | "If-Unmodified-Since" }
  | { readonly malformed: "If-Match" | "If-None-Match" };

// Matches one entity tag, or an empty element, up to the next comma or the end. RFC 9110 §5.6.1.2, §8.8.3.
const entityTagPattern = /\s*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*)?(?:,|$)/y;

const maxEntityTags = 100;

/** Evaluates the conditional headers of a request in the order of RFC 9110 §13.2.2. Reports a malformed header even if another condition fails. */
export function evaluateHttpConditions(
  conditions: ConditionalHeaders,
  validators: HttpValidators,
): HttpConditionOutcome {
  const { ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince } = conditions;
  const { etag, lastModified, partForIfMatch = (tag: string) => tag } = validators;
  const isOneOf = ifMatch === undefined ? undefined : matchesTag(ifMatch, etag, "strong", partForIfMatch);
  const isKnown = ifNoneMatch === undefined ? undefined : matchesTag(ifNoneMatch, etag, "weak");
  if (isOneOf === null) return { malformed: "If-Match" };
  if (isKnown === null) return { malformed: "If-None-Match" };
  if (isOneOf === false) return { failed: "If-Match" };
  if (isOneOf === undefined && isModifiedAfter(lastModified, ifUnmodifiedSince) === true)
    return { failed: "If-Unmodified-Since" };
  if (isKnown !== undefined) return isKnown ? "not-modified" : "proceed";
  return isModifiedAfter(lastModified, ifModifiedSince) === false ? "not-modified" : "proceed";
}

/** Reports whether `If-Range` permits a partial response. A malformed or weak value never does. RFC 9110 §13.1.5. */
export function allowsRange(ifRange: string | undefined, { etag, lastModified }: HttpValidators): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.startsWith('"')) return ifRange === etag;
  return lastModified !== undefined && ifRange === lastModified.toUTCString();
}

/** Reports whether a header lists the entity tag. Returns null if the header is malformed, has more than 100 tags, or more than 100 empty elements. */
function matchesTag(
  header: string,
  etag: string,
  comparison: "strong" | "weak",
  partOf = (tag: string): string | null => tag,
): boolean | null {
  if (header.trim() === "*") return true;
  const tags = parseEntityTags(header);
  if (tags === null) return null;
  return tags.map(({ tag, isWeak }) => (comparison === "strong" && isWeak ? null : partOf(tag))).includes(partOf(etag));
}

/** Reports whether a header lists a weak entity tag (`W/"…"`). If-Match never matches such a tag. RFC 9110 §13.1.1. */
export function hasWeakEntityTag(header: string): boolean {
  return parseEntityTags(header)?.some(({ isWeak }) => isWeak) === true;
}

function parseEntityTags(header: string): readonly { readonly tag: string; readonly isWeak: boolean }[] | null {
  const tags: { readonly tag: string; readonly isWeak: boolean }[] = [];
  let empty = 0;
  for (let position = 0; position < header.length; position = entityTagPattern.lastIndex) {
    entityTagPattern.lastIndex = position;
    const [found, weak, opaque] = entityTagPattern.exec(header) ?? [];
    if (found === undefined) return null;
    if (opaque === undefined) empty += 1;
    else tags.push({ tag: `"${opaque}"`, isWeak: weak !== undefined });
    if (tags.length > maxEntityTags || empty > maxEmptyListElements) return null;
  }
  return tags;
}

/**
 * Reports whether the record has changed since the date in the header. Returns null if either date is missing or invalid; the header is then
 * ignored.
 */
function isModifiedAfter(lastModified: Date | undefined, header: string | undefined): boolean | null {
  if (lastModified === undefined || header === undefined) return null;
  const time = Date.parse(header);
  if (Number.isNaN(time) || new Date(time).toUTCString() !== header) return null;
  return Math.floor(lastModified.getTime() / 1000) * 1000 > time;
}
