export interface PageProps {
  readonly id: string;
}
