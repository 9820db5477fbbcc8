export interface PageProps {
  /** The ID in a route such as `#/reports/ID`, or an empty text. */
  readonly id: string;
}
