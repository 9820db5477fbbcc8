import type { ColumnKind } from "@reports/core/report";
import type { CellFromReader } from "./xlsx/workbook-readers.fixture.ts";

/**
 * An extreme value of a column kind, and its cell per format in an English report in Berlin's time. Without their own cell, csv, xlsx and pdf show
 * the wire form, and json shows the csv cell.
 */
export interface ExtremeValue {
  /** SQL expression of the value. Missing if Postgres has no such value and only JavaScript objects can contain it. */
  readonly sql?: string;
  readonly wire: string;
  readonly csv?: string;
  readonly json?: unknown;
  readonly xlsx?: CellFromReader;
  readonly pdf?: string;
}

const zeros = (count: number): string => "0".repeat(count);
const largestDecimal = `1${zeros(131_071)}`;
const smallestDecimal = `0.${zeros(16_382)}1`;

export const extremesByKind = {
  text: [
    { sql: "'a'", wire: "a" },
    { sql: "'1E400'", wire: "1E400" },
    { sql: "'infinity'", wire: "infinity" },
  ],
  integer: [
    { sql: "0", wire: "0", json: 0, xlsx: 0 },
    { sql: "-2147483648", wire: "-2147483648", json: -2_147_483_648, xlsx: -2_147_483_648, pdf: "-2,147,483,648" },
    {
      sql: "9007199254740991",
      wire: "9007199254740991",
      json: 9_007_199_254_740_991,
      pdf: "9,007,199,254,740,991",
    },
    {
      sql: "-9007199254740991",
      wire: "-9007199254740991",
      json: -9_007_199_254_740_991,
      pdf: "-9,007,199,254,740,991",
    },
  ],
  bigint: [
    { sql: "9223372036854775807", wire: "9223372036854775807", pdf: "9,223,372,036,854,775,807" },
    { sql: "-9223372036854775808", wire: "-9223372036854775808", pdf: "-9,223,372,036,854,775,808" },
  ],
  decimal: [
    { sql: "'NaN'::numeric", wire: "NaN" },
    { sql: "'Infinity'::numeric", wire: "Infinity" },
    { sql: "'-Infinity'::numeric", wire: "-Infinity" },
    { sql: "12.5::numeric(38, 18)", wire: "12.500000000000000000", xlsx: 12.5 },
    { sql: "'-0'::numeric", wire: "0", xlsx: 0 },
    { sql: "999999999999999::numeric", wire: "999999999999999", xlsx: 999_999_999_999_999, pdf: "999,999,999,999,999" },
    { sql: "9999999999999999::numeric", wire: "9999999999999999", pdf: "9,999,999,999,999,999" },
    { sql: "1e131071::numeric", wire: largestDecimal, xlsx: `${largestDecimal.slice(0, 32_766)}…`, pdf: "1E131,071" },
    { sql: "1e-16383::numeric", wire: smallestDecimal, pdf: "1E-16383" },
    { sql: "'NaN'::float8", wire: "NaN" },
    { sql: "'-Infinity'::float8", wire: "-Infinity" },
    { sql: "'-0'::float8", wire: "-0", xlsx: 0 },
    { sql: "5e-324::float8", wire: "5e-324" },
    { sql: "1.7976931348623157e308::float8", wire: "1.7976931348623157e+308" },
  ],
  ratio: [
    { sql: "'NaN'::numeric", wire: "NaN" },
    { sql: "'Infinity'::numeric", wire: "Infinity" },
    { sql: "0.999999::numeric", wire: "0.999999", xlsx: 0.999999, pdf: "100.00%" },
    { sql: "1.00005::numeric", wire: "1.00005", xlsx: 1.00005, pdf: "100.01%" },
    { sql: "1e-20::numeric", wire: `0.${zeros(19)}1`, xlsx: 1e-20, pdf: "<0.01%" },
    { sql: "-1e-20::numeric", wire: `-0.${zeros(19)}1`, xlsx: -1e-20, pdf: "0.00%" },
    { sql: "12345678901234567.89::numeric", wire: "12345678901234567.89", pdf: "1,234,567,890,123,456,789.00%" },
  ],
  bytes: [
    { sql: "9223372036854775807", wire: "9223372036854775807", pdf: "9.2 EB" },
    { sql: "-9223372036854775808", wire: "-9223372036854775808", pdf: "-9.2 EB" },
    { sql: "0", wire: "0", xlsx: 0, pdf: "0 B" },
  ],
  duration: [
    {
      sql: "extract(epoch from interval '-1 hour -30 minutes')::integer",
      wire: "-5400",
      xlsx: "1899-12-29T22:30:00.000",
      pdf: "-1 h 30 min",
    },
    { sql: "0", wire: "0", xlsx: "1899-12-30T00:00:00.000", pdf: "0 s" },
    { sql: "0.000001", wire: "0.000001", xlsx: "1899-12-30T00:00:00.000", pdf: "0 s" },
    { sql: "'0.0005'::numeric", wire: "0.0005", xlsx: "1899-12-30T00:00:00.000", pdf: "0.001 s" },
    { sql: "59.9996::numeric", wire: "59.9996", xlsx: "1899-12-30T00:01:00.000", pdf: "1 min" },
    { sql: "3600.500000::numeric", wire: "3600.500000", xlsx: "1899-12-30T01:00:00.500", pdf: "1 h 00 min 00.5 s" },
    { sql: "172805", wire: "172805", xlsx: "1900-01-01T00:00:05.000", pdf: "2 d 0 h 00 min 05 s" },
    { sql: "100000 * 3600", wire: "360000000", xlsx: "1911-05-28T16:00:00.000", pdf: "4,166 d 16 h" },
    { sql: "2958466 * 86400::bigint", wire: "255611462400", pdf: "2,958,466 d" },
    { sql: "'NaN'::numeric", wire: "NaN" },
    { sql: "'-Infinity'::numeric", wire: "-Infinity" },
    { sql: "1e131071::numeric", wire: largestDecimal, xlsx: `${largestDecimal.slice(0, 32_766)}…`, pdf: "1E131,071 s" },
    { sql: "5e-324::float8", wire: "5e-324", xlsx: "1899-12-30T00:00:00.000", pdf: "0 s" },
  ],
  time: [
    { sql: "time '00:00'", wire: "00:00:00", xlsx: "1899-12-30T00:00:00.000", pdf: "00:00" },
    { sql: "time '08:30:15.250'", wire: "08:30:15.25", xlsx: "1899-12-30T08:30:15.250", pdf: "08:30:15" },
    { sql: "time '23:59:59.999999'", wire: "23:59:59.999999", xlsx: "1899-12-30T23:59:59.000", pdf: "23:59:59" },
    { sql: "time '24:00'", wire: "24:00:00", xlsx: "1899-12-31T00:00:00.000", pdf: "24:00" },
  ],
  boolean: [
    { sql: "true", wire: "t", csv: "true", json: true, xlsx: "Yes", pdf: "Yes" },
    { sql: "false", wire: "f", csv: "false", json: false, xlsx: "No", pdf: "No" },
  ],
  timestamp: [
    { sql: "'infinity'::timestamptz", wire: "infinity" },
    { sql: "'-infinity'::timestamptz", wire: "-infinity" },
    {
      sql: "'4714-11-24 00:00:00+00 BC'::timestamptz",
      wire: "4714-11-24 00:53:28+00:53:28 BC",
    },
    {
      sql: "'0001-12-31 23:00:00.999999+00 BC'::timestamptz",
      wire: "0001-12-31 23:53:28.999999+00:53:28 BC",
      pdf: "0001-12-31 23:53:28+00:53:28 BC",
    },
    {
      sql: "'0001-01-01 00:00:00+00'::timestamptz",
      wire: "0001-01-01 00:53:28+00:53:28",
      csv: "0001-01-01T00:53:00+00:53",
      pdf: "1 Jan 1, 00:53",
    },
    {
      sql: "'2026-11-25 22:59:59.999999+00'::timestamptz",
      wire: "2026-11-25 23:59:59.999999+01",
      csv: "2026-11-25T23:59:59.999999+01:00",
      xlsx: "2026-11-25T23:59:59.000",
      pdf: "25 Nov 2026, 23:59",
    },
    {
      sql: "'1969-12-31 22:59:59.999999+00'::timestamptz",
      wire: "1969-12-31 23:59:59.999999+01",
      csv: "1969-12-31T23:59:59.999999+01:00",
      xlsx: "1969-12-31T23:59:59.000",
      pdf: "31 Dec 1969, 23:59",
    },
    {
      sql: "'9999-12-31 23:59:59.999999+00'::timestamptz",
      wire: "10000-01-01 00:59:59.999999+01",
      csv: "9999-12-31T23:59:59.999999+00:00",
      xlsx: "9999-12-31T23:59:59.000",
      pdf: "31 Dec 9999, 23:59 +00",
    },
    {
      sql: "'10000-01-01 00:00:00+00'::timestamptz",
      wire: "10000-01-01 01:00:00+01",
    },
    {
      sql: "'294276-12-31 23:59:59.999999+00'::timestamptz",
      wire: "294277-01-01 00:59:59.999999+01",
      pdf: "294277-01-01 00:59:59+01",
    },
  ],
  date: [
    { sql: "'infinity'::date", wire: "infinity" },
    { sql: "'-infinity'::date", wire: "-infinity" },
    { sql: "'4714-11-24 BC'::date", wire: "4714-11-24 BC" },
    { sql: "'0001-12-31 BC'::date", wire: "0001-12-31 BC" },
    { sql: "'0001-01-01'::date", wire: "0001-01-01", pdf: "1 Jan 1" },
    { sql: "'1900-02-28'::date", wire: "1900-02-28", pdf: "28 Feb 1900" },
    { sql: "'1900-03-01'::date", wire: "1900-03-01", xlsx: "1900-03-01T00:00:00.000", pdf: "1 Mar 1900" },
    { sql: "'9999-12-31'::date", wire: "9999-12-31", xlsx: "9999-12-31T00:00:00.000", pdf: "31 Dec 9999" },
    { sql: "'10000-01-01'::date", wire: "10000-01-01" },
    { sql: "'5874897-12-31'::date", wire: "5874897-12-31" },
  ],
  list: [
    { sql: "'{a}'::text[]", wire: "{a}", csv: "a", json: ["a"], xlsx: "a", pdf: "a" },
    {
      sql: `'{NULL,"NULL","x,y"}'::text[]`,
      wire: '{NULL,"NULL","x,y"}',
      csv: "; NULL; x,y",
      json: [null, "NULL", "x,y"],
      xlsx: "; NULL; x,y",
      pdf: "–, NULL, x,y",
    },
    { sql: "'[2:3]={a,b}'::text[]", wire: "[2:3]={a,b}", csv: "a; b", json: ["a", "b"], xlsx: "a; b", pdf: "a, b" },
  ],
} as const satisfies Readonly<Record<ColumnKind, readonly ExtremeValue[]>>;
