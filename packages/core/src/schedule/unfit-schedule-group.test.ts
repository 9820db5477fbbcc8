import { beforeEach, describe, expect, test } from "vitest";
import { builtInReportTypes } from "../report/definitions/built-in-report-types.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import type { Schedule } from "./schedule-record.ts";
import { findScheduleMisfit, listUnfitSchedules, pauseUnfitSchedules } from "./unfit-schedule-group.ts";

const proxies = builtInReportTypes.find(({ type }) => type === "PROXY")!;
const { version } = proxies;
const newer: ReportTypeDefinition = {
  ...proxies,
  version: version + 1,
  columns: proxies.columns.filter(({ key }) => key !== "region"),
  filters: proxies.filters.filter(({ name }) => name !== "health"),
};
const renamed: ReportTypeDefinition = {
  ...proxies,
  version: version + 2,
  filters: proxies.filters.map((filter) =>
    filter.name === "health" ? { ...filter, name: "state", formerly: ["health"] } : filter,
  ),
};
let count = 0;
const schedule = (changes: Partial<Schedule> = {}): Schedule =>
  ({
    id: String(count++),
    reportType: "PROXY",
    searchParam: {},
    options: { format: "csv" },
    timezone: "UTC",
    status: "ACTIVE",
    definitionVersion: version,
    nextFireAt: new Date("2026-11-27T06:00:00Z"),
    updatedAt: new Date("2026-11-26T06:00:00Z"),
    ...changes,
  }) as Schedule;
const throwing: ReportTypeDefinition = {
  ...newer,
  filters: [
    {
      name: "code",
      operator: "in",
      value: "text",
      columns: ["name"],
      description: "Codes.",
      form: {
        rule: "a code",
        normalise() {
          throw new TypeError("normalise failed");
        },
      },
    },
  ],
};
const relative = { searchParam: { createdFrom: "today" } };
const unreadable = (): Schedule => schedule({ searchParam: { code: ["x"] } });
const unfit = (changes: Partial<Schedule> = {}): Schedule =>
  schedule({ searchParam: { health: ["DOWN"] }, ...changes });

describe("findScheduleMisfit", () => {
  test("findScheduleMisfit names the filter that a newer version of the type no longer has", () => {
    expect(findScheduleMisfit(newer, unfit())).toEqual({
      because: "INVALID_PARAMETERS",
      detail: expect.stringContaining("health") as string,
    });
  });

  const endingAt = (end: string): ReportTypeDefinition => ({
    ...newer,
    filters: newer.filters.map((filter) => (filter.name === "createdTo" ? { ...filter, default: end } : filter)),
  });
  test.each([
    ["2030-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", "createdFrom must be before createdTo"],
    ["2030-01-01T00:00:00.000Z", "now", undefined],
    ["thisMonth", "2026-01-01T00:00:00.000Z", undefined],
    ["today", "today", "createdFrom must be before createdTo"],
  ])(
    "findScheduleMisfit for the range from %s to the type's new default %s returns %s",
    (createdFrom, end, problem) => {
      const detail = findScheduleMisfit(endingAt(end), schedule({ searchParam: { createdFrom } }))?.detail;
      expect(detail?.replace(/ \(by default .*/, "")).toBe(problem);
    },
  );

  test("findScheduleMisfit lists three mistakes of a schedule and counts the others", () => {
    const columns = ["a", "b", "c", "d", "e"];
    const { detail } = findScheduleMisfit(newer, schedule({ options: { columns } }))!;
    expect(detail).toMatch(/"a".*"b".*"c".* There are 2 more problems\.$/);
    expect(detail.length).toBeLessThanOrEqual(600);
  });

  test.each<[string, Schedule, ReportTypeDefinition]>([
    ["the type has not changed", unfit(), proxies],
    ["the filter has a new name", unfit(), renamed],
    ["an older process compares it with an older version", unfit({ definitionVersion: version + 2 }), newer],
    ["it has ended", unfit({ status: "ENDED" }), newer],
    [
      "only the present time makes its range empty",
      schedule({ searchParam: { createdFrom: "2030-01-01T00:00:00.000Z", createdTo: "now" } }),
      proxies,
    ],
  ])("findScheduleMisfit accepts a schedule if %s", (_, given, definition) => {
    expect(findScheduleMisfit(definition, given)).toBeNull();
  });

  test.each<[string, Schedule, ReportTypeDefinition]>([
    ["the report type throws", unreadable(), throwing],
    ["this process does not know its time zone", schedule({ ...relative, timezone: "Mars/Olympus" }), newer],
  ])("findScheduleMisfit reports the error and returns null if %s", (_, given, definition) => {
    const errors: unknown[] = [];
    expect(findScheduleMisfit(definition, given)).toBeNull();
    expect(findScheduleMisfit(definition, given, (error) => errors.push(error))).toBeNull();
    expect(errors).toEqual([expect.any(Error)]);
  });

  test("findScheduleMisfit says that a schedule's report type is unknown to this process", () => {
    expect(findScheduleMisfit(undefined, schedule())).toMatchObject({ because: "UNKNOWN_REPORT_TYPE" });
  });
});

const scanOf = (...pages: Schedule[][]) => ({
  async *pages() {
    yield* pages;
  },
});
const signal = new AbortController().signal;
const failures: string[] = [];
const onFailure = ({ id }: Schedule): void => void failures.push(id);
beforeEach(() => failures.splice(0));

test("listUnfitSchedules groups schedules that their type refuses, by type and cause", async () => {
  const [one, two, unknown] = [
    unfit(),
    unfit({ status: "PAUSED", nextFireAt: null }),
    schedule({ reportType: "GONE" }),
  ];
  const catalogue = { find: (type: string) => (type === "PROXY" ? newer : undefined) };
  const scan = scanOf([one, schedule()], [unknown, two]);
  expect(await listUnfitSchedules({ scan, catalogue, onFailure }, signal)).toEqual([
    { reportType: "PROXY", because: "INVALID_PARAMETERS", scheduleIds: [one.id, two.id] },
    { reportType: "GONE", because: "UNKNOWN_REPORT_TYPE", scheduleIds: [unknown.id] },
  ]);
});

test.each<[string, Schedule, ReportTypeDefinition | undefined, boolean]>([
  ["a newer version refuses it", unfit(), newer, true],
  ["its own version refuses it", unfit({ definitionVersion: newer.version }), newer, false],
  ["it was checked against a later version", unfit({ definitionVersion: newer.version + 1 }), newer, false],
  ["its type is unknown", unfit(), undefined, false],
  ["it is paused", unfit({ status: "PAUSED", nextFireAt: null }), newer, false],
  ["a newer version accepts it", unfit(), renamed, false],
])(
  "pauseUnfitSchedules pauses a schedule only if a newer version refuses it: %s",
  async (_, given, definition, pauses) => {
    const paused: Schedule[] = [];
    const schedules = { pauseUnfit: async () => true };
    const catalogue = { find: () => definition };
    await pauseUnfitSchedules(
      { scan: scanOf([given]), schedules, catalogue, onPaused: (each) => paused.push(each), onFailure },
      signal,
    );
    expect(paused).toEqual(pauses ? [given] : []);
  },
);

test("a schedule that cannot be compared is reported, and others are still paused", async () => {
  const [failing, other] = [unreadable(), unfit()];
  const catalogue = { find: () => throwing };
  const scan = scanOf([failing, other]);
  expect(await listUnfitSchedules({ scan, catalogue, onFailure }, signal)).toMatchObject([{ scheduleIds: [other.id] }]);
  const paused: Schedule[] = [];
  const schedules = { pauseUnfit: async () => true };
  await pauseUnfitSchedules({ scan, schedules, catalogue, onPaused: (each) => paused.push(each), onFailure }, signal);
  expect([paused, failures]).toEqual([[other], [failing.id, failing.id]]);
});

test("if pausing one schedule fails, the error is reported and others are paused", async () => {
  const [failing, other] = [unfit(), unfit()];
  const paused: Schedule[] = [];
  const schedules = {
    async pauseUnfit({ id }: Pick<Schedule, "id">) {
      if (id === failing.id) throw new Error("pause failed");
      return true;
    },
  };
  const catalogue = { find: () => newer };
  await pauseUnfitSchedules(
    { scan: scanOf([failing, other]), schedules, catalogue, onPaused: (each) => paused.push(each), onFailure },
    signal,
  );
  expect([paused, failures]).toEqual([[other], [failing.id]]);
});
