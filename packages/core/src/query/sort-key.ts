/** One sort key: a column's key and its direction. Written `-key` for descending. */
export interface SortKey<Key extends string = string> {
  readonly key: Key;
  readonly descending: boolean;
}
