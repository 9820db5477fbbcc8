/** A key of a sort. In queries, a descending key is written with a minus sign: `-createdAt`. */
export interface SortKey<Key extends string = string> {
  readonly key: Key;
  readonly descending: boolean;
}

export function parseSortKey(text: string): SortKey {
  return text.startsWith("-") ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}
