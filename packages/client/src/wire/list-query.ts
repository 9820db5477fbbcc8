/** Query parameters of every list, in addition to its filters. docs/reference/http.md#lists. */
export interface ListQuery {
  /** Up to five fields. A leading `-` sorts descending. */
  readonly sort?: readonly string[] | undefined;
  /** Records per page, 1–200; 50 by default. The client reads all pages in any case. */
  readonly limit?: number | undefined;
  /** Adds the number of records to the pages. */
  readonly count?: "exact" | undefined;
  /** IANA time zone of relative times; UTC by default. */
  readonly timezone?: string | undefined;
  /** The earliest time of creation, inclusive: RFC 3339 or relative (`today-P1D`). */
  readonly createdFrom?: string | undefined;
  /** The latest time of creation, exclusive: RFC 3339 or relative. */
  readonly createdTo?: string | undefined;
}
