import { hash } from "node:crypto";
import type { SearchParam } from "./filters.ts";
import type { SortKey } from "./sort-key.ts";

/** Sort values and ID of the last record of a page. The cursor of the next page contains them. */
export type KeysetPosition = readonly (string | number | boolean | null)[];

/** Identifies the last record of a page if its sort values are too long for a cursor. */
export interface KeysetAnchor {
  readonly id: string;
  /** Hash of the record's KeysetPosition. If the record's sort values have changed since, the hash differs and the cursor is refused. */
  readonly hash: string;
}

export interface CollectionQuery {
  readonly filters: SearchParam;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly after: KeysetPosition | KeysetAnchor | null;
  readonly count: boolean;
}

/** Lists count their matching records exactly up to this number, because counting more takes too long. */
export const maxExactRecordCount = 10_000;

export interface CollectionPage<T> {
  readonly items: readonly T[];
  readonly next: KeysetPosition | null;
  /** Number of all matching records, at most maxExactRecordCount + 1; null if the request does not ask for the number. */
  readonly total: number | null;
}

export function toKeysetAnchor(position: KeysetPosition): KeysetAnchor {
  return { id: String(position.at(-1)), hash: hash("sha256", JSON.stringify(position), "base64url").slice(0, 22) };
}
