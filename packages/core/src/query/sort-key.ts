/** One sort key: a column's key and its direction. Written `-key` for descending. */
export interface SortKey {
  readonly key: string;
  readonly descending: boolean;
}
