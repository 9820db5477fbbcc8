/** What a page gets. */
export interface PageProps {
  /** The part of the path after the page's name: the id in `#/reports/ID`. */
  readonly id: string;
}
