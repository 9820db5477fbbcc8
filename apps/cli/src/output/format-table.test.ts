import { expect, test } from "vitest";
import {
  formatExpandedRows,
  formatTabbedRow,
  formatTabbedHeadings,
  formatTable,
  type TableColumn,
} from "./format-table.ts";

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
const now = Date.parse("2026-11-25T06:10:00Z");
const row: Row = { id: "a", at: "2026-11-25T04:06:55.949Z", text: "Each must be one of EXPIRED, CRITICAL." };

test("a table has one line per row if that fits, and times to the minute", () => {
  expect(formatTable(columns, [row, { ...row, text: "" }], { width: 80, now })).toEqual({
    lines: [
      "ID  AT                 SIZE  TEXT",
      "a   2026-11-25T04:06Z    38  Each must be one of EXPIRED, CRITICAL.",
      "a   2026-11-25T04:06Z     0",
    ],
    omitted: [],
    fits: true,
  });
});

test("a narrow table wraps texts without cutting them off", () => {
  expect(formatTable(columns, [row], { width: 48, now }).lines).toEqual([
    "ID  AT                 SIZE  TEXT",
    "a   2026-11-25T04:06Z    38  Each must be one of",
    "                             EXPIRED, CRITICAL.",
  ]);
});

test("a narrow table omits spare columns one by one, and returns their headings", () => {
  const { lines, omitted, fits } = formatTable(columns, [row], { width: 38, now });
  expect(lines).toEqual([
    "ID  AT                 TEXT",
    "a   2026-11-25T04:06Z  Each must be",
    "                       one of EXPIRED,",
    "                       CRITICAL.",
  ]);
  expect({ omitted, fits }).toEqual({ omitted: ["SIZE"], fits: true });
  expect(formatTable(columns, [row], { width: 20, now })).toMatchObject({ omitted: ["AT", "SIZE"], fits: true });
  expect(formatTable(columns, [row], { width: 10, now })).toMatchObject({ fits: false });
});

test("a narrow table cuts texts, then shortens IDs, and only then omits columns", () => {
  const listed: readonly TableColumn<Row>[] = [
    { heading: "ID", text: ({ id }) => id, kind: "id" },
    { heading: "CREATED", text: ({ at }) => at, kind: "age", spare: 1 },
    { heading: "TITLE", text: ({ text }) => text, cutsTo: 8 },
  ];
  const report = { ...row, id: "01a21920-6285-73c9-852d-70307ca5b472", text: "Proxies in Amsterdam" };
  expect(formatTable(listed, [report], { width: 60, now }).lines).toEqual([
    "ID                                    CREATED  TITLE",
    "01a21920-6285-73c9-852d-70307ca5b472  2 h ago  Proxies in A…",
  ]);
  expect(formatTable(listed, [report], { width: 40, now }).lines).toEqual([
    "ID        CREATED  TITLE",
    "7ca5b472  2 h ago  Proxies in Amsterdam",
  ]);
  expect(formatTable(listed, [report], { width: 20, now })).toEqual({
    lines: ["ID        TITLE", "7ca5b472  Proxies i…"],
    omitted: ["CREATED"],
    fits: true,
  });
});

test("a table breaks long words after punctuation, but not in the last column", () => {
  const words: readonly TableColumn<Row>[] = [
    { heading: "ID", text: ({ id }) => id, wrapsTo: 10 },
    { heading: "TEXT", text: ({ text }) => text, wrapsTo: 6 },
  ];
  expect(
    formatTable(words, [{ ...row, id: "PREVIOUS_STILLRUNNING", text: "a 0123456789" }], { width: 18, now }).lines,
  ).toEqual(["ID          TEXT", "PREVIOUS_   a", "STILLRUNNI  0123456789", "NG"]);
});

test("formatExpandedRows prints a line for each field", () => {
  expect(formatExpandedRows(columns, [row, { ...row, id: "b", text: "short" }], { width: 26, now })).toEqual([
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

test("formatTabbedRow returns ids and ages as the service sends them", () => {
  const id = "01a21920-6285-73c9-852d-70307ca5b472";
  const machine: readonly TableColumn<Row>[] = [
    { heading: "ID", text: () => id, kind: "id" },
    { heading: "CREATED", text: ({ at }) => at, kind: "age" },
    { heading: "TITLE", text: ({ text }) => text, cutsTo: 3 },
  ];
  expect(formatTabbedHeadings(machine)).toBe("ID\tCREATED\tTITLE");
  expect(formatTabbedRow(machine, row)).toBe(`${id}\t${row.at}\t${row.text}`);
});

test("formatTabbedRow returns times to the millisecond, and escapes control characters", () => {
  expect(formatTabbedRow(columns, { ...row, text: "a\tb" })).toBe("a\t2026-11-25T04:06:55.949Z\t3\ta\\u{9}b");
});
