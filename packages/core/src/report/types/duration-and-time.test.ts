import { expect, test } from "vitest";
import { normaliseTimeOfDay } from "../../query/time-of-day.ts";
import { fillDefinitionDefaults } from "./fill-definition-defaults.ts";
import { findDefinitionProblems } from "./definition-problems.ts";
import { readObjectCell } from "./object-cell.ts";
import type { ReportTypeInput } from "./report-type-input.ts";

const columns = { stay: { column: "stay", type: "interval" }, start: { column: "start", type: "time" } } as const;
const valid = {
  type: "STAYS",
  version: 1,
  title: "Stays",
  columns: [
    { key: "stay", title: "Stay", kind: "duration", digits: 3, tonesByNumber: [{ atLeast: 86_400, tone: "bad" }] },
    { key: "start", title: "Start", kind: "time" },
  ],
  filters: [],
  where: [
    { column: "stay", atLeast: 60 },
    { column: "start", in: ["08:30:00", "08:30:15.5", "24:00:00"] },
  ],
  groupable: ["start"],
  rows: { kind: "view", view: "stays", id: "id", columns },
};

const withFigure = (kind: string, aggregate: object) => ({
  ...valid,
  summary: { figures: [{ key: "x", title: "X", kind, aggregate }] },
});
const withFilter = (operator: string, value: string, column: string, changes: object = {}) => ({
  ...valid,
  filters: [{ name: "x", operator, value, columns: [column], description: "X.", ...changes }],
});
const withTypes = (stay: string, start: string) => ({
  ...valid,
  where: [],
  rows: { ...valid.rows, columns: { stay: { column: "stay", type: stay }, start: { column: "start", type: start } } },
});
const withParameter = (value: string, type: string) => ({
  ...valid,
  rows: { ...valid.rows, parameters: [{ name: "x", value, type, description: "X." }] },
});
const overObjects = (value: string, column: string) => ({
  ...withFilter("in", value, column),
  rows: { kind: "objects", rows: () => [] },
});

const problemsOf = (given: object) => findDefinitionProblems(fillDefinitionDefaults(given as ReportTypeInput));

test.each<readonly [string, object]>([
  ["an interval and a time", valid],
  ...["numeric", "integer", "bigint"].map((type) => [`${type} seconds`, withTypes(type, "time")] as const),
  ...["duration", "decimal"].flatMap((kind) =>
    ["sum", "avg", "min", "max"].map(
      (each) => [`the ${each} of a duration as ${kind}`, withFigure(kind, { kind: each, column: "stay" })] as const,
    ),
  ),
  ["the latest time", withFigure("time", { kind: "max", column: "start" })],
  ["a range of seconds", withFilter("from", "decimal", "stay", { min: 0, default: "60" })],
  ["whole seconds", withFilter("in", "integer", "stay")],
  ["a range of times", withFilter("to", "time", "start", { default: "24:00" })],
  ["a time as a parameter", withParameter("time", "time")],
  ["durations of objects", overObjects("decimal", "stay")],
  ["times of objects", overObjects("time", "start")],
])("a definition with %s is valid", (_, given) => {
  expect(problemsOf(given)).toEqual([]);
});

test.each([
  [
    withTypes("text", "time"),
    "rows: stay is text in the view, and a column of kind duration needs interval or numeric or integer or bigint.",
  ],
  [
    withTypes("interval", "timestamptz"),
    "rows: start is timestamptz in the view, and a column of kind time needs time.",
  ],
  [
    withFigure("bytes", { kind: "sum", column: "stay" }),
    'figure "x": its aggregate is a sum, which is of kind duration or decimal, and not bytes.',
  ],
  [
    withFigure("duration", { kind: "sum", column: "start" }),
    'figure "x": a sum is computed from numbers or durations, and start is of kind time.',
  ],
  [
    withFilter("from", "time", "stay"),
    'filter "x": from with values of time needs a column of time, and stay is interval.',
  ],
  [withFilter("contains", "time", "start"), 'filter "x": contains takes values of text, and not of time.'],
  [
    withFilter("from", "decimal", "start"),
    'filter "x": from with values of decimal needs a column of numeric or integer or bigint or interval, and start is time.',
  ],
  [
    withFilter("from", "time", "start", { default: "25:00" }),
    'filters: default: x must be a time of day from 00:00 to 24:00, such as 08:30 or 08:30:15.5; "25:00" is not.',
  ],
  [
    withParameter("integer", "interval"),
    'rows: parameter "x": values of integer need the type integer or bigint or numeric, and not interval.',
  ],
  [
    withParameter("decimal", "interval"),
    'rows: parameter "x": values of decimal need the type numeric, and not interval.',
  ],
  [overObjects("time", "stay"), 'filter "x": values of time need a column of the kind time, and stay is duration.'],
  [
    { ...valid, where: [{ column: "start", in: ["8:30"] }] },
    'where[0], on start: "8:30" must be a time of day such as 08:30:00.',
  ],
  [
    { ...valid, where: [{ column: "start", atLeast: 8 }] },
    "where[0], on start: atLeast and below compare numbers, and the column is of kind time.",
  ],
  [
    { ...valid, where: [{ column: "stay", in: ["60"] }] },
    "where[0], on stay: in compares texts, and the column is of kind duration, whose values have many spellings.",
  ],
])("a wrong definition of a duration or a time is refused in one sentence (case %#)", (given, problem) => {
  expect(problemsOf(given)).toEqual([problem]);
});

test.each<readonly [string, string | null]>([
  ["08:30", "08:30:00"],
  ["00:00", "00:00:00"],
  ["08:30:15.500", "08:30:15.5"],
  ["08:30:00.000000", "08:30:00"],
  ["23:59:59.999999", "23:59:59.999999"],
  ["24:00", "24:00:00"],
  ["24:00:00.000", "24:00:00"],
  ...["24:00:01", "24:00:00.1", "23:59:60", "8:30", "08:30Z", "08:30:15,5", "08:30:15.1234567", "08", "", " 08:30"].map(
    (text) => [text, null] as const,
  ),
])("the time of day %j is normalised to %j", (text, expected) => {
  expect(normaliseTimeOfDay(text)).toBe(expected);
  const cell = readObjectCell({ key: "start", kind: "time" }, { start: text }, "UTC");
  expect(cell).toBe(expected ?? undefined);
});

test.each([
  [5400, "5400"],
  [0.1, "0.1"],
  [-1e-7, "-0.0000001"],
  ["-007.50", "-7.50"],
  [10n ** 20n, "100000000000000000000"],
  ["1 hour", undefined],
  [Infinity, undefined],
  [new Date(0), undefined],
])("the duration %s in an object row is read as %s", (stay, expected) => {
  expect(readObjectCell({ key: "stay", kind: "duration" }, { stay }, "UTC")).toBe(expected);
});
