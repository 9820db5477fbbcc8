export interface PageProps {
  /** The id in `#/reports/ID`. */
  readonly id: string;
}
