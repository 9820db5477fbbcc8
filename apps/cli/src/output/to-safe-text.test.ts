import { expect, test } from "vitest";
import { measureWidthCells, truncateToWidth } from "./measure-width-cells.ts";
import { formatTabbedRow, formatTable, type TableColumn } from "./format-table.ts";
import { toSafeJson, toSafeText } from "./to-safe-text.ts";
import { quoteShellWord } from "./shell-word.ts";

const hostile = "a\u001b]0;owned\u0007\u009b31m\r\n\tb\u202ecod\u2066e\u200b\ud800";

test("toSafeText escapes characters that a terminal executes, reorders or hides", () => {
  expect(toSafeText(hostile)).toBe(
    "a\\u{1b}]0;owned\\u{7}\\u{9b}31m\\u{d}\\u{a}\\u{9}b\\u{202e}cod\\u{2066}e\\u{200b}\\u{d800}",
  );
  expect(toSafeText("Überblick 東京 🚀 שלום")).toBe("Überblick 東京 🚀 שלום");
});

test("toSafeJson returns equivalent JSON in printable ASCII", () => {
  const line = toSafeJson({ title: hostile, tag: "\u{e0041}" });
  expect(line).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(line)).toEqual({ title: hostile, tag: "\u{e0041}" });
});

test("quoteShellWord quotes special characters and escapes control characters", () => {
  expect(quoteShellWord("out/domains.csv")).toBe("out/domains.csv");
  expect(quoteShellWord("it's $(rm) \u001b")).toBe(String.raw`'it'\''s $(rm) \u{1b}'`);
});

test("a table aligns wide characters, and wraps only the columns that allow it", () => {
  const columns: readonly TableColumn<readonly [string, string, number]>[] = [
    { heading: "NAME", text: ([name]) => name },
    { heading: "TITLE", text: ([, title]) => title, wrapsTo: 12 },
    { heading: "ROWS", text: ([, , rows]) => `${rows}`, align: "right" },
  ];
  const rows = [
    ["東京", "short", 7],
    ["b\u001b", "a title that is much too long for this terminal", 1234],
  ] as const;
  expect(formatTable(columns, rows, { width: 40, now: 0 }).lines).toEqual([
    "NAME     TITLE                      ROWS",
    "東京     short                         7",
    "b\\u{1b}  a title that is much too   1234",
    "         long for this terminal",
  ]);
  expect(formatTabbedRow(columns, ["x\ty", "z", 1])).toBe("x\\u{9}y\tz\t1");
});

test("measureWidthCells and truncateToWidth count terminal cells, not characters", () => {
  expect(["abc", "東京", "👩‍🚀", "é"].map(measureWidthCells)).toEqual([3, 4, 2, 1]);
  expect(truncateToWidth("東京都", 5)).toBe("東京…");
});
