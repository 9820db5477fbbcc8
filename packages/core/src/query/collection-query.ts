import { createHash } from "node:crypto";
import type { SearchParam } from "./filters.ts";
import type { SortKey } from "./sort-key.ts";

/** The sort values and ID of a page's last record, which a cursor holds. */
export type KeysetPosition = readonly (string | number | boolean | null)[];

/** Names a page's last record instead of sort values that are too long for a cursor. */
export interface KeysetAnchor {
  readonly id: string;
  /** Hash of the position. If the record's sort values have changed, the page does not continue there. */
  readonly hash: string;
}

export interface CollectionQuery {
  readonly filters: SearchParam;
  /** The store breaks ties by ID. */
  readonly sort: readonly SortKey[];
  /** At least 1. */
  readonly limit: number;
  readonly after: KeysetPosition | KeysetAnchor | null;
  readonly count: boolean;
}

/** Lists are counted up to this number. */
export const maxExactCount = 10_000;

export interface CollectionPage<T> {
  readonly items: readonly T[];
  /** Position of the last record if more follow, else null. */
  readonly next: KeysetPosition | null;
  /** All matching records, at most maxExactCount + 1; null unless requested. */
  readonly total: number | null;
}

export function anchorOf(position: KeysetPosition): KeysetAnchor {
  const hash = createHash("sha256").update(JSON.stringify(position)).digest("base64url").slice(0, 22);
  return { id: String(position.at(-1)), hash };
}
