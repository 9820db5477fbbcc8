/**
 * The kind of a column's values, which decides how each format shows them. Wire forms (ports: RowStream):
 * - `text`: the text itself;
 * - `integer`: decimal digits within ±2^53; `bigint`: any integer; `decimal`: an exact numeric; `ratio`: an exact numeric, shown as a percentage where a format can (0.05 → 5 %);
 * - `bytes`: any integer, an amount of data that formats for people show in a unit (16500000000000 → 16.5 TB);
 * - `boolean`: `t` or `f`;
 * - `timestamp`: `YYYY-MM-DD hh:mm:ss[.ffffff]+00` in UTC, in row snapshots of earlier versions `±hh[:mm[:ss]]`; `date`: `YYYY-MM-DD`;
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
/** The kind of a column's values, one of columnKinds. */
export type ColumnKind = (typeof columnKinds)[number];

/** One column of a report type. */
export interface ReportColumn<Key extends string = string> {
  /** camelCase; csv's header and the key of json and ndjson. */
  readonly key: Key;
  /** The header of pdf and xlsx. */
  readonly title: string;
  readonly kind: ColumnKind;
  /** Typical width in characters; xlsx uses it as is, pdf in proportion. */
  readonly width: number;
  /** The numbers are names (ports, years): formats for people do not group their digits. */
  readonly plainDigits?: true;
  /** Values differ at their ends (host names): a format that shortens one cuts its beginning. */
  readonly keepsEnd?: true;
  /** Titles of codes in pdf and xlsx, for text columns and elements of lists; other formats show the code. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Tones of an enumeration's values, worst first, for colours. */
  readonly tones?: Readonly<Record<string, "good" | "warn" | "bad" | "muted">>;
}
