import type { ColumnKind } from "@reports/core/report";

/** Indexes of the cell formats (`cellXfs`) of every workbook. */
export const cellStyleIndexes = {
  plain: 0,
  header: 1,
  integer: 2,
  grouped: 3,
  ratio: 4,
  timestamp: 5,
  date: 6,
  numberAsText: 7,
  title: 8,
  section: 9,
  label: 10,
  boolean: 11,
  headerOfNumbers: 12,
  headerOfBooleans: 13,
  labelOfNumbers: 14,
  bytes: 15,
  text: 16,
  lines: 17,
  kilobytes: 18,
  megabytes: 19,
  gigabytes: 20,
  terabytes: 21,
  titleFromRight: 22,
  // Texts with right-to-left letters that must be read from left to right, such as host names.
  textFromLeft: 23,
  labelFromLeft: 24,
  titleFromLeft: 25,
  link: 26,
  textLink: 27,
  duration: 28,
  time: 29,
} as const;

/** Cell styles for amounts of bytes, by the number of three-digit groups. */
export const byteSizeStyleIndexes = [
  cellStyleIndexes.bytes,
  cellStyleIndexes.kilobytes,
  cellStyleIndexes.megabytes,
  cellStyleIndexes.gigabytes,
  cellStyleIndexes.terabytes,
] as const;

export function toCellStyleIndex(kind: ColumnKind): number {
  switch (kind) {
    case "integer":
      return cellStyleIndexes.integer;
    case "bigint":
      return cellStyleIndexes.grouped;
    case "ratio":
      return cellStyleIndexes.ratio;
    case "timestamp":
      return cellStyleIndexes.timestamp;
    case "date":
      return cellStyleIndexes.date;
    case "time":
      return cellStyleIndexes.time;
    case "duration":
      return cellStyleIndexes.duration;
    case "boolean":
      return cellStyleIndexes.boolean;
    default:
      return cellStyleIndexes.plain;
  }
}
