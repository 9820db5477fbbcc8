/** What every list takes in addition to its filters. docs/reference/http.md#lists. */
export interface ListQuery {
  /** Up to five fields, `-` in front for descending. */
  readonly sort?: readonly string[] | undefined;
  /** Records per page, 1–200; 50 by default. The client reads all pages in any case. */
  readonly limit?: number | undefined;
  /** Makes the pages contain the number of records. */
  readonly count?: "exact" | undefined;
  /** IANA time zone of relative times; UTC by default. */
  readonly timezone?: string | undefined;
  /** RFC 3339 or relative (`today-P1D`), inclusive. */
  readonly createdFrom?: string | undefined;
  /** RFC 3339 or relative, exclusive. */
  readonly createdTo?: string | undefined;
}
