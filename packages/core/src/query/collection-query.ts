import type { SearchParam } from "./filters.ts";
import type { SortKey } from "./sort-key.ts";

/** Where a page ended: the sort values of its last record, then its id. What a cursor holds. */
export type KeysetPosition = readonly (string | number | boolean | null)[];

/** One page of a collection. */
export interface CollectionQuery {
  readonly filters: SearchParam;
  /** Ties are broken by id, which the store appends. */
  readonly sort: readonly SortKey[];
  /** At least 1. */
  readonly limit: number;
  /** Records after this position only. */
  readonly after: KeysetPosition | null;
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
