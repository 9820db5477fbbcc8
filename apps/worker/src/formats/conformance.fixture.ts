import { toQuotedWire } from "./csv/csv-formulas.fixture.ts";
import { columnsOfEveryKind } from "./every-value.fixture.ts";

export const everyValueColumns = [
  ...columnsOfEveryKind,
  { key: "state", title: "Title of state", kind: "text", width: 20, titles: { DOWN: "Not <running>" } },
] as const;

export const everyValueTexts = [
  "plain",
  "a,b;c",
  'say "hi"',
  "'quoted'",
  "line\nbreak",
  "cr\r\nlf",
  "tab\tin",
  "=1+1",
  "+1",
  "-1",
  "@x",
  "\uFF1D1",
  "\u0001\u001f\u007f",
  "_x000D_ _x0041_ _x",
  "<b>&amp;]]>",
  " spaced ",
  "日本語",
  "עברית العربية",
  "🙂👩‍👩‍👧",
  "\uFFFE\uFFFF\u2028\uFEFF",
  "NULL",
  "\\N",
  "\\.",
];
const restOfRow =
  '9007199254740991,-9223372036854775808,0.10,0.0500,16500000000000,t,2026-10-25 02:30:00.123+02,2026-02-28,"{a,""b c"",""d,e""}",5430.25,17:00:00,DOWN';
export const everyValueWire = [
  ...everyValueTexts.map((text) => `${toQuotedWire(text)},${restOfRow}`),
  '"",0,0,0,0,0,f,2026-10-25 02:30:00+01,1900-03-01,{},0,24:00:00,UP',
  ",,,,,,,,,,,,",
  'numbers,-1,123456789012345,123456789012345.5,0.000000000000000001,-9223372036854775808,f,0999-12-31 23:06:31+00,0001-01-01,"{NULL,""""}",-5400,23:59:59.999999,""',
  "",
].join("\n");
