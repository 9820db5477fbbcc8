import type { CellFromReader } from "./xlsx/workbook-readers.fixture.ts";
import { createTestColumns } from "./rows.fixture.ts";

export const columnsOfEveryKind = createTestColumns({
  text: "text",
  integer: "integer",
  bigint: "bigint",
  decimal: "decimal",
  ratio: "ratio",
  bytes: "bytes",
  boolean: "boolean",
  timestamp: "timestamp",
  date: "date",
  list: "list",
  duration: "duration",
  time: "time",
});

export const everyValueTimezone = "Europe/Berlin";

export type JsonCell = string | number | boolean | null | readonly (string | null)[];

export interface EveryValueRow {
  readonly wire: string;
  readonly json: readonly JsonCell[];
  /** The cells of the xlsx row, without nulls at the end. */
  readonly sheet: readonly CellFromReader[];
}

const ordinaryRows: readonly EveryValueRow[] = [
  {
    wire: `plain,1,2,12.500000000000000000,0.5,1024,t,2026-11-25 12:00:00+01,2026-11-25,"{a,b}",93784.500,08:30:15.25`,
    json: [
      "plain",
      1,
      "2",
      "12.500000000000000000",
      "0.5",
      "1024",
      true,
      "2026-11-25T12:00:00+01:00",
      "2026-11-25",
      ["a", "b"],
      "93784.500",
      "08:30:15.25",
    ],
    sheet: [
      "plain",
      1,
      2,
      12.5,
      0.5,
      1024,
      "Yes",
      "2026-11-25T12:00:00.000",
      "2026-11-25T00:00:00.000",
      "a; b",
      "1899-12-31T02:03:04.500",
      "1899-12-30T08:30:15.250",
    ],
  },
  { wire: ",,,,,,,,,,,", json: columnsOfEveryKind.map(() => null), sheet: [] },
];

const extremeRows: readonly EveryValueRow[] = [
  {
    wire: `" _x0041_ ",-5,9007199254740993,-0.0000000000000000000001,1.000,0,f,2026-11-25 23:59:59.999999+01,1900-03-01,{},-5400.000001,23:59:59.999999`,
    json: [
      " _x0041_ ",
      -5,
      "9007199254740993",
      "-0.0000000000000000000001",
      "1.000",
      "0",
      false,
      "2026-11-25T23:59:59.999999+01:00",
      "1900-03-01",
      [],
      "-5400.000001",
      "23:59:59.999999",
    ],
    sheet: [
      " _x0041_ ",
      -5,
      "9007199254740993",
      -1e-22,
      1,
      0,
      "No",
      "2026-11-25T23:59:59.000",
      "1900-03-01T00:00:00.000",
      null,
      "1899-12-29T22:30:00.000",
      "1899-12-30T23:59:59.000",
    ],
  },
  {
    wire: `=1+1,0,-9223372036854775808,100000000000000000000.00,0.1234567890123456,999999999999,t,9999-12-31 23:59:59.999999+01,9999-12-31,"{""x y"",NULL}",360000000,24:00:00`,
    json: [
      "=1+1",
      0,
      "-9223372036854775808",
      "100000000000000000000.00",
      "0.1234567890123456",
      "999999999999",
      true,
      "9999-12-31T23:59:59.999999+01:00",
      "9999-12-31",
      ["x y", null],
      "360000000",
      "24:00:00",
    ],
    sheet: [
      "=1+1",
      0,
      "-9223372036854775808",
      1e20,
      "0.1234567890123456",
      999_999_999_999,
      "Yes",
      "9999-12-31T23:59:59.000",
      "9999-12-31T00:00:00.000",
      "x y; ",
      "1911-05-28T16:00:00.000",
      "1899-12-31T00:00:00.000",
    ],
  },
  {
    wire: `"日本語 <&> ""quoted"" 🙂",7,,NaN,-0.0,1,f,infinity,0044-03-15 BC,"{""_x000D_""}",0,00:00:00`,
    json: [
      '日本語 <&> "quoted" 🙂',
      7,
      null,
      "NaN",
      "-0.0",
      "1",
      false,
      "infinity",
      "0044-03-15 BC",
      ["_x000D_"],
      "0",
      "00:00:00",
    ],
    sheet: [
      '日本語 <&> "quoted" 🙂',
      7,
      null,
      "NaN",
      0,
      1,
      "No",
      "infinity",
      "0044-03-15 BC",
      "_x000D_",
      "1899-12-30T00:00:00.000",
      "1899-12-30T00:00:00.000",
    ],
  },
  {
    wire: `,9007199254740991,,1e+308,1e-310,,,,,,NaN,`,
    json: [null, 9_007_199_254_740_991, null, "1e+308", "1e-310", null, null, null, null, null, "NaN", null],
    sheet: [null, "9007199254740991", null, "1e+308", "1e-310", null, null, null, null, null, "NaN"],
  },
  {
    wire: `*.דוגמה4.example.com,-2147483648,9223372036854775807,Infinity,-Infinity,-9223372036854775808,t,10000-01-01 01:00:00.5+01,-infinity,{},0.000001,12:00:00`,
    json: [
      "*.דוגמה4.example.com",
      -2_147_483_648,
      "9223372036854775807",
      "Infinity",
      "-Infinity",
      "-9223372036854775808",
      true,
      "10000-01-01 01:00:00.5+01",
      "-infinity",
      [],
      "0.000001",
      "12:00:00",
    ],
    sheet: [
      "*.דוגמה4.example.com",
      -2_147_483_648,
      "9223372036854775807",
      "Infinity",
      "-Infinity",
      "-9223372036854775808",
      "Yes",
      "10000-01-01 01:00:00.5+01",
      "-infinity",
      null,
      "1899-12-30T00:00:00.000",
      "1899-12-30T12:00:00.000",
    ],
  },
  {
    wire: `far,,,-0,,,,0001-12-31 23:53:28.999999+00:53:28 BC,5874897-12-31,,255611462400,00:00:00.000001`,
    json: [
      "far",
      null,
      null,
      "-0",
      null,
      null,
      null,
      "0001-12-31 23:53:28.999999+00:53:28 BC",
      "5874897-12-31",
      null,
      "255611462400",
      "00:00:00.000001",
    ],
    sheet: [
      "far",
      null,
      null,
      0,
      null,
      null,
      null,
      "0001-12-31 23:53:28.999999+00:53:28 BC",
      "5874897-12-31",
      null,
      "255611462400",
      "1899-12-30T00:00:00.000",
    ],
  },
];

const hostileTexts = [
  "",
  "cr\r\nlf\nand\rcr",
  "\r",
  "\n",
  "tab\tand\u000B\u000C",
  '"',
  '""',
  'a,b;c "d"',
  "'quoted'",
  "'=1",
  "x;=1+1",
  "+1",
  "-1",
  "@x",
  "\t=1",
  "\uFF1D1",
  "null",
  "NULL",
  "\\N",
  "\\.",
  "\\",
  "007",
  "1e5",
  "true",
  "2026-11-25",
  "\uFEFFmark",
  "line\u2028paragraph\u2029next\u0085end",
  "\u0001\u001F\u007F\uFFFE\uFFFF",
  "<b>&amp;]]>",
  "e\u0301 and \u00E9",
];

const hostileTextRows: readonly EveryValueRow[] = hostileTexts.map((text, at) => {
  const quoted = `"${text.replaceAll('"', '""')}"`;
  const element = `"{""${text.replaceAll("\\", "\\\\").replaceAll('"', '\\""')}"",b}"`;
  return {
    wire: `${quoted},${at},,,,,,,,${element},,`,
    json: [text, at, null, null, null, null, null, null, null, [text, "b"], null, null],
    sheet: [text === "" ? null : text, at, null, null, null, null, null, null, null, `${text}; b`],
  };
});

export const everyValueRows: readonly EveryValueRow[] = [...ordinaryRows, ...extremeRows, ...hostileTextRows];

export function buildEveryValueWire(count = everyValueRows.length): string {
  return Array.from({ length: count }, (_, at) => `${everyValueRows[at % everyValueRows.length]!.wire}\n`).join("");
}
