import { createHash } from "node:crypto";
import type { SearchParam } from "./filters.ts";
import type { SortKey } from "./sort-key.ts";

/** Where a page ended: the sort values of its last record, then its id. What a cursor holds. */
export type KeysetPosition = readonly (string | number | boolean | null)[];

/** Names the record at which a page ended, in the place of sort values that are too long for a cursor. */
export interface KeysetAnchor {
  readonly id: string;
  /** Hash of the position. If the record has other sort values by now, the page does not continue there. */
  readonly hash: string;
}

/** One page of a collection. */
export interface CollectionQuery {
  readonly filters: SearchParam;
  /** Ties are broken by id, which the store appends. */
  readonly sort: readonly SortKey[];
  /** At least 1. */
  readonly limit: number;
  /** Records after this position only. */
  readonly after: KeysetPosition | KeysetAnchor | null;
  /** Whether to count all records that match. */
  readonly count: boolean;
}

/** Up to here the records of a list are counted. */
export const maxExactCount = 10_000;

/** The records of a page. */
export interface CollectionPage<T> {
  readonly items: readonly T[];
  /** Position of the last record when more follow, else null. */
  readonly next: KeysetPosition | null;
  /** All records that match, or maxExactCount + 1 where there are more than maxExactCount; null unless it was asked for. */
  readonly total: number | null;
}

/** Makes the anchor of a position. */
export function anchorOf(position: KeysetPosition): KeysetAnchor {
  const hash = createHash("sha256").update(JSON.stringify(position)).digest("base64url").slice(0, 22);
  return { id: String(position.at(-1)), hash };
}
