import { expect, test } from "vitest";
import { readScheduledStart, readSchedulePatch } from "../../schedule/schedule-input.ts";
import type { Schedule } from "../../schedule/schedule-record.ts";
import { previewInputFromQuery } from "../request/preview-input.ts";
import { renditionOptionsFromBody } from "../request/rendition-input.ts";
import { startInputFromBody, startInputFromQuery } from "../request/start-input.ts";
import { findWorkerRefusal } from "../run/refusal.ts";
import { fillDefinitionDefaults } from "./fill-definition-defaults.ts";
import { findDefinitionProblems } from "./definition-problems.ts";
import type { ReportTypeInput } from "./report-type-input.ts";

const input = {
  type: "STAY",
  version: 2,
  title: "Stays",
  columns: [
    { key: "patient", title: "Patient", kind: "text", formerly: ["patientNo", "patientId"] },
    { key: "ward", title: "Ward", kind: "text", formerly: ["station"] },
    { key: "nights", title: "Nights", kind: "integer" },
  ],
  filters: [
    {
      name: "ward",
      formerly: ["station", "unit"],
      operator: "in",
      value: "text",
      columns: ["ward"],
      description: "Wards.",
    },
    { name: "nightsFrom", operator: "from", value: "integer", columns: ["nights"], description: "At least." },
  ],
  groupable: ["ward"],
  rows: { kind: "objects", async *rows() {} },
} as const satisfies ReportTypeInput;
const definition = fillDefinitionDefaults(input);
const now = new Date("2026-11-26T12:00:00Z");
const oldStart = {
  reportType: "STAY",
  format: "csv",
  columns: ["patientNo", "nights"],
  sort: ["-patientId", "nights"],
  groupBy: "station",
  searchParam: { station: ["A1"], nightsFrom: 2 },
};
const currentStart = {
  ...oldStart,
  columns: ["patient", "nights"],
  sort: ["-patient", "nights"],
  groupBy: "ward",
  searchParam: { ward: ["A1"], nightsFrom: 2 },
};
const stored = { id: "s", reportType: "STAY", cron: "0 7 * * *", timezone: "UTC", status: "ACTIVE", name: "Stays" };

test("a start in a body with former names equals the start with the current names", () => {
  expect(startInputFromBody(definition, oldStart, now)).toEqual(startInputFromBody(definition, currentStart, now));
});

test("a start in a query with former names equals the start with the current names", () => {
  const pairs = [
    ["format", "csv"],
    ["columns", "patientNo,nights"],
    ["sort", "-patientId,nights"],
    ["groupBy", "station"],
    ["searchParam[unit]", "A1"],
    ["searchParam[nightsFrom]", "2"],
  ] as const;
  expect(startInputFromQuery(definition, pairs, now)).toEqual(startInputFromBody(definition, currentStart, now));
});

test("a preview accepts former names of columns and filters", () => {
  const pairs = [
    ["columns", "patientNo"],
    ["searchParam[station]", "A1"],
  ] as const;
  const { columns, searchParam } = previewInputFromQuery(definition, pairs, now);
  expect([columns.map(({ key }) => key), searchParam]).toEqual([["patient"], { ward: ["A1"] }]);
});

test.each([
  [{ searchParam: { station: "A1", ward: "A2" } }, "station is the former name of ward, and both are given"],
  [{ searchParam: { station: "A1", unit: "A2" } }, "unit is the former name of ward, and both are given"],
  [{ columns: ["patientNo", "patient"] }, "columns names patient twice."],
  [{ columns: ["patientNumber"] }, 'columns has no "patientNumber".'],
  [{ searchParam: { nights: 1 } }, "nights"],
])("a start with the wrong names or values %j is refused with a clear message", (given, message) => {
  expect(() => startInputFromBody(definition, { reportType: "STAY", ...given }, now)).toThrow(message);
});

test("a wrong value of a filter is reported by the name that the caller used", () => {
  const ask = () => startInputFromBody(definition, { reportType: "STAY", searchParam: { station: [1] } }, now);
  const message = expect.stringMatching(/^station must be text/) as string;
  expect(ask).toThrow(
    expect.objectContaining({ issues: [expect.objectContaining({ pointer: "/searchParam/station/0", message })] }),
  );
});

test("a worker runs a stored report that has former names", () => {
  const deps = {
    catalogue: { find: () => definition },
    availability: { refusalOf: () => null, isUnreachable: () => false },
    host: { refusal: () => null, spoolBytes: () => 1 },
  };
  const { options } = startInputFromBody(definition, currentStart, now);
  const report = {
    reportType: "STAY",
    definitionVersion: 1,
    searchParam: oldStart.searchParam,
    options: { ...options, columns: oldStart.columns, sort: oldStart.sort, groupBy: oldStart.groupBy },
  };
  expect(findWorkerRefusal(deps, { ...report, unknownOptions: [] })).toBeNull();
  expect(findWorkerRefusal(deps, { ...report, unknownOptions: [], searchParam: { wing: ["A"] } })).toMatchObject({
    because: "FILTER_UNKNOWN",
  });
});

test("an additional format inherits the columns of a report with former names", () => {
  const { options } = startInputFromBody(definition, currentStart, now);
  const report = {
    definitionVersion: 1,
    title: "Stays",
    options: { ...options, columns: oldStart.columns, sort: oldStart.sort, groupBy: oldStart.groupBy },
  };
  expect(renditionOptionsFromBody(definition, report, { format: "xlsx", groupBy: "station" })).toMatchObject({
    columns: ["patient", "nights"],
    sort: ["-patient", "nights"],
    groupBy: "ward",
  });
});

test("a run of a schedule with former names starts the report with the current names", () => {
  const { searchParam, reportType, ...options } = oldStart;
  const schedule = { reportType, searchParam, options, timezone: "UTC" };
  expect(readScheduledStart(definition, schedule, now)).toEqual(startInputFromBody(definition, currentStart, now));
});

test("a patch of a schedule replaces and removes filters stored with former names", () => {
  const { searchParam, reportType: _, ...options } = oldStart;
  const schedule = { ...stored, searchParam, options } as unknown as Schedule;
  const rules = { definition, now, stored: schedule, findStatusProblem: () => null, checkTimes: () => [] };
  const patched = (patch: object) => readSchedulePatch(rules, patch).settings;
  expect(patched({ searchParam: { ward: ["B2"] } }).searchParam).toEqual({ ward: ["B2"], nightsFrom: 2 });
  expect(patched({ searchParam: { unit: null } }).searchParam).toEqual({ nightsFrom: 2 });
  expect(patched({ options: { groupBy: null } }).options).toMatchObject({ columns: ["patient", "nights"] });
});

const column = input.columns[2];
const filter = input.filters[1];
const withColumn = (formerly: readonly string[]) => ({
  ...input,
  columns: [...input.columns.slice(0, 2), { ...column, formerly }],
});
const withFilter = (formerly: readonly string[]) => ({
  ...input,
  filters: [input.filters[0], { ...filter, formerly }],
});

test.each<[object, string]>([
  [withColumn(["patient"]), 'column "nights": formerly has "patient", which is the name of a column now.'],
  [withColumn(["nights"]), 'column "nights": formerly has "nights", which is the name of a column now.'],
  [withColumn(["station"]), 'column "nights": formerly has "station", which column "ward" has too.'],
  [withColumn(["days", "days"]), 'column "nights": formerly has "days" twice.'],
  [withColumn([]), 'there must be 1 to 20 names in formerly of column "nights", and there are 0.'],
  [
    withColumn(["no_days"]),
    'column "nights": its former name "no_days": a name is camelCase, of letters and digits, at most 63 of them.',
  ],
  [withFilter(["ward"]), 'filter "nightsFrom": formerly has "ward", which is the name of a filter now.'],
  [withFilter(["unit"]), 'filter "nightsFrom": formerly has "unit", which filter "ward" has too.'],
])("a definition with a wrong former name is refused (case %#)", (given, message) => {
  expect(findDefinitionProblems(fillDefinitionDefaults(given as ReportTypeInput))).toContain(message);
});

test("a column and a filter may have the same former name", () => {
  expect(findDefinitionProblems(definition)).toEqual([]);
});
