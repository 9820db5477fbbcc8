/**
 * What a column holds, which decides how each format shows it. The value's bytes in the wire form (ports: RowStream) are
 * - `text`: the text itself;
 * - `integer`: decimal digits within ±2^53; `bigint`: any integer; `decimal`: an exact numeric; `ratio`: an exact numeric that is shown as a percentage where a format can (0.05 → 5 %), and as the number elsewhere;
 * - `bytes`: any integer, an amount of data that formats for people show in a unit (16500000000000 → 16.5 TB);
 * - `boolean`: `t` or `f`;
 * - `timestamp`: `YYYY-MM-DD hh:mm:ss[.ffffff]+00` in UTC, and in row snapshots of earlier versions `±hh[:mm[:ss]]`; `date`: `YYYY-MM-DD`;
 * - `list`: a Postgres text-array literal (`{a,"b c"}`).
 */
export const columnKinds = [
  "text",
  "integer",
  "bigint",
  "decimal",
  "ratio",
  "bytes",
  "boolean",
  "timestamp",
  "date",
  "list",
] as const;
/** What a column holds, one of columnKinds. */
export type ColumnKind = (typeof columnKinds)[number];

/** One column of a report type. */
export interface ReportColumn<Key extends string = string> {
  /** camelCase; the header of csv and the key of json and ndjson. */
  readonly key: Key;
  /** The header of pdf and xlsx. */
  readonly title: string;
  readonly kind: ColumnKind;
  /** Typical width in characters; xlsx takes it as it is, pdf shares the page by it. */
  readonly width: number;
  /** The numbers are names rather than amounts (ports, years): formats for people do not group their digits. */
  readonly plainDigits?: true;
  /** Values are told apart by how they end (host names): a format that has to shorten one leaves out its beginning. */
  readonly keepsEnd?: true;
  /**
   * What codes mean, for people: pdf and xlsx show the title of a value, csv, json and ndjson the value itself. Of a text column, or of the
   * elements of a list. A value without one is shown as it is.
   */
  readonly titles?: Readonly<Record<string, string>>;
  /** Values of a text column that stands for an enumeration, worst first, so that formats may colour them. */
  readonly tones?: Readonly<Record<string, "good" | "warn" | "bad" | "muted">>;
}
