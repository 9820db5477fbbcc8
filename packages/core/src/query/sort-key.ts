/** One sort key: a column's key and its direction. Written `-key` for descending. */
export interface SortKey<Key extends string = string> {
  readonly key: Key;
  readonly descending: boolean;
}

/** Reads its text. */
export function parseSortKey(text: string): SortKey {
  return text.startsWith("-") ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}
