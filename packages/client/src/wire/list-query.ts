/** Query parameters of every list, in addition to its filters. docs/reference/http.md#lists. */
export interface ListQuery {
  /** Up to five fields by which the list is sorted. A leading `-` sorts descending. */
  readonly sort?: readonly string[] | undefined;
  /** Records per page, 1–200; 50 by default. The client reads all pages in any case. */
  readonly limit?: number | undefined;
  /** With `exact`, each page contains the number of records in the whole list. */
  readonly count?: "exact" | undefined;
  /** The IANA time zone in which relative times are resolved. Default: UTC. */
  readonly timezone?: string | undefined;
  /** The earliest time of creation, inclusive: RFC 3339 or relative (`today-P1D`). */
  readonly createdFrom?: string | undefined;
  /** The latest time of creation, exclusive: RFC 3339 or relative. */
  readonly createdTo?: string | undefined;
}
