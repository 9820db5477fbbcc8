import { expect, test } from "vitest";
import { formatExpanded, formatTabbed, formatTable, type TableColumn } from "./format-table.ts";

interface Row {
  readonly id: string;
  readonly at: string;
  readonly text: string;
}

const columns: readonly TableColumn<Row>[] = [
  { heading: "ID", text: ({ id }) => id },
  { heading: "AT", text: ({ at }) => at, spare: 1 },
  { heading: "SIZE", text: ({ text }) => String(text.length), align: "right", spare: 2 },
  { heading: "TEXT", text: ({ text }) => text, wrapsTo: 12 },
];
const row: Row = { id: "a", at: "2026-11-25T04:06:55.949Z", text: "Each must be one of EXPIRED, CRITICAL." };

test("formats each row in one line if it fits, with times to the minute", () => {
  expect(formatTable(columns, [row, { ...row, text: "" }], 80)).toEqual({
    lines: [
      "ID  AT                 SIZE  TEXT",
      "a   2026-11-25T04:06Z    38  Each must be one of EXPIRED, CRITICAL.",
      "a   2026-11-25T04:06Z     0",
    ],
    omitted: [],
    fits: true,
  });
});

test("wraps texts without cutting them off", () => {
  expect(formatTable(columns, [row], 48).lines).toEqual([
    "ID  AT                 SIZE  TEXT",
    "a   2026-11-25T04:06Z    38  Each must be one of",
    "                             EXPIRED, CRITICAL.",
  ]);
});

test("omits spare columns one by one before texts get too narrow, and names them", () => {
  const { lines, omitted, fits } = formatTable(columns, [row], 38);
  expect(lines).toEqual([
    "ID  AT                 TEXT",
    "a   2026-11-25T04:06Z  Each must be",
    "                       one of EXPIRED,",
    "                       CRITICAL.",
  ]);
  expect({ omitted, fits }).toEqual({ omitted: ["SIZE"], fits: true });
  expect(formatTable(columns, [row], 20)).toMatchObject({ omitted: ["AT", "SIZE"], fits: true });
  expect(formatTable(columns, [row], 10)).toMatchObject({ fits: false });
});

test("breaks long words at punctuation, except in the last column", () => {
  const words: readonly TableColumn<Row>[] = [
    { heading: "ID", text: ({ id }) => id, wrapsTo: 10 },
    { heading: "TEXT", text: ({ text }) => text, wrapsTo: 6 },
  ];
  expect(formatTable(words, [{ ...row, id: "PREVIOUS_STILLRUNNING", text: "a 0123456789" }], 18).lines).toEqual([
    "ID          TEXT",
    "PREVIOUS_   a",
    "STILLRUNNI  0123456789",
    "NG",
  ]);
});

test("formatExpanded prints a line for each field", () => {
  expect(formatExpanded(columns, [row, { ...row, id: "b", text: "short" }], 26)).toEqual([
    "-[ 1 ]--------------------",
    "ID    a",
    "AT    2026-11-25T04:06Z",
    "SIZE  38",
    "TEXT  Each must be one of",
    "      EXPIRED, CRITICAL.",
    "-[ 2 ]--------------------",
    "ID    b",
    "AT    2026-11-25T04:06Z",
    "SIZE  5",
    "TEXT  short",
  ]);
});

test("formatTabbed returns complete times, and texts without control characters", () => {
  expect(formatTabbed(columns, { ...row, text: "a\tb" })).toBe("a\t2026-11-25T04:06:55.949Z\t3\ta\\u{9}b");
});
