/**
 * Kinds of a column's values. The kind decides how each format shows a value. Each kind has a wire form (RowStream).
 * `text`: the text itself.
 * `integer`: an integer within ±2^53. `bigint`: any integer. `decimal`: an exact number.
 * `ratio`: an exact number, which pdf and xlsx show as a percentage (0.05 as 5 %).
 * `bytes`: any integer, an amount of data, which pdf and xlsx show with a unit (16500000000000 as 16.5 TB).
 * `duration`: an exact number of seconds, which pdf and xlsx show in days, hours, minutes and seconds.
 * `boolean`: `t` or `f`. `date`: `YYYY-MM-DD`.
 * `time`: a time of day without a zone, `hh:mm:ss[.ffffff]`, from `00:00:00` to `24:00:00`.
 * `timestamp`: `YYYY-MM-DD hh:mm:ss[.ffffff]+00` in UTC. Row snapshots of earlier versions have other offsets, `±hh[:mm[:ss]]`.
 * `list`: a Postgres text-array literal (`{a,"b c"}`).
 */
export const columnKinds = [
  "text",
  "integer",
  "bigint",
  "decimal",
  "ratio",
  "bytes",
  "duration",
  "boolean",
  "timestamp",
  "date",
  "time",
  "list",
] as const;
/** The kind of a column's values, one of columnKinds. */
export type ColumnKind = (typeof columnKinds)[number];

export const columnTones = ["good", "warn", "bad", "muted"] as const;
export type ColumnTone = (typeof columnTones)[number];

/** A tone of numbers from `atLeast` up to but not including `below`. One of the two may be missing. */
export interface NumberTone {
  readonly atLeast?: number;
  readonly below?: number;
  readonly tone: ColumnTone;
}

/** Alignments of a column. In a document of left-to-right text, `start` is the left edge. */
export const columnAlignments = ["start", "center", "end"] as const;
/** The alignment of a column, one of columnAlignments. */
export type ColumnAlignment = (typeof columnAlignments)[number];

/** How pdf, xlsx and previews show the numbers of a column. csv, json and ndjson have the numbers themselves. */
export interface NumberDisplay<Key extends string = string> {
  /** Unit after the number, such as `kg` or `days`, for numbers of kind `integer`, `bigint` and `decimal`. */
  readonly unit?: string;
  /** Currency of amounts: a code of ISO 4217 such as `EUR`, or the key of the column that has the code of each row. */
  readonly currency?: string | { readonly column: Key };
  /** Decimal places to which the number is rounded, from 0 to 20, for numbers of kind `decimal` and `ratio` and for amounts. For kind `duration`, decimal places of its seconds, from 0 to 3. Default: all places of a number, 2 of a ratio, those of the currency. */
  readonly digits?: number;
}

/** One column of a report type. */
export interface ReportColumn<Key extends string = string> extends NumberDisplay<Key> {
  /** Name of the column in camelCase. It is the header in csv, and the key in json and ndjson. */
  readonly key: Key;
  /** Header of the column in pdf and xlsx. */
  readonly title: string;
  readonly kind: ColumnKind;
  /** Version of the report type that added the column. Default: 1. Additional formats of older reports then leave the column out. */
  readonly sinceVersion?: number;
  /** Earlier keys of the column, oldest first. Requests, stored reports and schedules can still use them. Default: none. */
  readonly formerly?: readonly string[];
  /** Typical width of a value in characters. xlsx uses this width; pdf divides the page in proportion to the widths. */
  readonly width: number;
  /** Alignment of values and title in pdf, xlsx and previews. Default: numbers at the end, booleans in the center in xlsx, others at the start. */
  readonly align?: ColumnAlignment;
  /** Set for numbers that are names, such as ports and years. pdf and xlsx then don't group their digits. */
  readonly plainDigits?: true;
  /** Set for whole days until an event, rounded down, in a column of kind `integer`. pdf says the number in words: -3 as “expired 3 days ago”, -1 as “expired within a day”. */
  readonly daysUntil?: "expiry";
  /** Set if the values differ at their ends, as host names do. A format that shortens such a value cuts its beginning. */
  readonly keepsEnd?: true;
  /** Set for a `timestamp` or `date` column of ends, such as those of certificates. The console then offers filters by coming times too. */
  readonly expires?: true;
  /** Column of kind `text` with the URL of each value, for a column of kind `text`. pdf, xlsx and previews link to plain https URLs. */
  readonly link?: { readonly column: Key };
  /** Titles by value, for columns of kind `text` and `list`. pdf and xlsx show the title; other formats show the value. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Meanings by value, each in one sentence, for values that have a title. pdf and xlsx explain the titles that they show. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** Tones by value, worst first, for columns of kind `text`. Formats show tones as colours. */
  readonly tones?: Readonly<Record<string, ColumnTone>>;
  /** Tones by number, for columns of numbers. The first match applies, so the worst comes first. Formats show tones as colours. */
  readonly tonesByNumber?: readonly NumberTone[];
}

/** The parts of a column that decide how its values are read. */
export type ValueColumn = Pick<ReportColumn, "key" | "kind">;
