import type { ColumnKind, ObjectRow, ReportColumn } from "@reports/core/report";

const hostileTexts = [
  "plain",
  "",
  "=1+1",
  "'quoted'",
  'a,b;c "d"',
  "line\r\nbreak\tand tab",
  "<b>&amp;]]>",
  "\u0001\u001F\uFFFE",
  "_x000D_",
  " spaced ",
  "日本語 한국어",
  "עברית العربية",
  "Šárka 🙂👩‍👩‍👧",
  "\\N",
  "long ".repeat(60),
];

type CellValue = ObjectRow[string];

/** Sample values per kind of column. Each list has a null, because every column may be empty. */
const samples: Readonly<Record<ColumnKind, readonly CellValue[]>> = {
  text: [...hostileTexts, null],
  integer: [0, -1, 2_147_483_647, 9_007_199_254_740_991n, null],
  bigint: [0n, -9_223_372_036_854_775_808n, "9223372036854775807", null],
  decimal: ["0", "-0.10", "12345678901234567.89", "0.000000000000000001", null],
  ratio: ["0", "0.5", "1", "0.123456789", null],
  bytes: [0, 999n, 16_500_000_000_000n, "-9223372036854775808", null],
  duration: [0, 0.25, "-5400", "360000000.000001", null],
  boolean: [true, false, null],
  timestamp: [new Date("2026-10-25T00:30:00.123Z"), new Date("1970-01-01T00:00:00Z"), null],
  date: ["2026-02-28", "1900-03-01", null],
  time: ["08:30", "23:59:59.999999", "24:00:00", null],
  list: [[], ["a"], ["b c", 'd,"e"', "=1"], hostileTexts, null],
};

export async function* generateRows(columns: readonly ReportColumn[], count: number): AsyncGenerator<ObjectRow> {
  for (let number = 0; number < count; number++) {
    yield Object.fromEntries(
      columns.map(({ key, kind }, index) => [key, samples[kind][(number + index) % samples[kind].length] ?? null]),
    );
  }
}
