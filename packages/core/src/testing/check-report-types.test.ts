import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { PermanentReportError } from "../base/errors.ts";
import { defineReportTypes } from "../report/types/define-report-types.ts";
import type { ObjectRow, ObjectRows, ObjectRowsRequest } from "../report/types/row-source.ts";
import { checkReportTypes, findReportTypeProblems, type ReportTypesCheck } from "./check-report-types.ts";
import { selectCrewRows, allCrewRows, correctCrewSource, createCrewReportTypes } from "./all-crew-rows.fixture.ts";

const searchParams = { CREW: [{}, { skill: "sql" }, { hired: [true] }] };

test("checkReportTypes accepts correct report types with object rows or with a view", async () => {
  await expect(checkReportTypes(createCrewReportTypes({}), { searchParams })).resolves.toBeUndefined();
  const view = { kind: "view", view: "crew", id: "id", columns: { name: { column: "name", type: "text" } } } as const;
  const columns = [{ key: "name", title: "Name", kind: "text" }] as const;
  const types = defineReportTypes([
    { definition: { type: "CREW", version: 1, title: "Crew", columns, rows: view }, authority: "REPORT_CREW" },
  ]);
  await expect(checkReportTypes(types)).resolves.toBeUndefined();
});

const endless = async function* (): AsyncGenerator<ObjectRow> {
  for (;;) {
    await nextTurn();
    yield {};
  }
};
const withRow = (row: ObjectRow): Partial<ObjectRows> => ({
  async *rows() {
    yield row;
  },
});

const broken: readonly (readonly [string, Partial<ObjectRows>, RegExp, ReportTypesCheck | null])[] = [
  [
    "a value of another kind",
    withRow({ shifts: "many" }),
    /row 1: shifts is a string that is not a valid integer/,
    null,
  ],
  [
    "a time without a year",
    withRow({ since: new Date(Number.NaN) }),
    /row 1: since is a date that is not a valid timestamp/,
    null,
  ],
  ["a list of numbers", withRow({ skills: [1] as never }), /row 1: skills is a list that is not a valid list/, null],
  ["a key that is not a column", withRow({ nmae: "Ada" }), /row 1 has "nmae", which is not a column/, null],
  [
    "rows in the wrong order",
    {
      async *rows() {
        yield* allCrewRows;
      },
    },
    /rows, sorted by -name: row 1 stands before row 2/,
    null,
  ],
  [
    "nulls first",
    {
      async *rows(request) {
        const [key] = request.sort;
        yield* selectCrewRows(request).toSorted(
          (a, b) => Number((a[key!.key] ?? null) !== null) - Number((b[key!.key] ?? null) !== null),
        );
      },
    },
    /sorted by name: row 1 stands before row 2; rows without a value come last/,
    null,
  ],
  [
    "a filter that is not honoured",
    { rows: (request) => correctCrewSource.rows({ ...request, searchParam: {} }) },
    /does not have skills of dns/,
    { searchParams: { CREW: [{ skill: "dns" }] } },
  ],
  [
    "an unknown filter",
    {},
    /searchParams: .*"skil".*Did you mean skill/,
    { searchParams: { CREW: [{ skil: "dns" }] } },
  ],
  [
    "a count of the rows before the fixed condition",
    { count: async () => allCrewRows.length },
    /count gave 5, and there are 4 rows/,
    null,
  ],
  ["a negative count", { count: async () => -1 }, /count gave -1, which is not a number of rows/, null],
  ["a count that fails", { count: () => Promise.reject(new Error("Away.")) }, /count failed: Away\./, null],
  [
    "a count that never comes",
    { count: () => new Promise<number>(() => undefined) },
    /count failed: did not count within 50 ms/,
    { timeoutMs: 50 },
  ],
  [
    "rows that fail",
    {
      rows: () => {
        throw new PermanentReportError("INVALID_DATA", "No crew.");
      },
    },
    /sorted by name, failed: No crew\./,
    null,
  ],
  [
    "rows that never come",
    {
      async *rows() {
        yield await new Promise<never>(() => undefined);
      },
    },
    /gave neither 1000 rows nor an end within 50 ms/,
    { timeoutMs: 50 },
  ],
  [
    "rows that continue after the abort",
    { rows: endless, count: async () => 10 ** 6 },
    /gave more than 1000 rows after its signal was aborted/,
    { maxRows: 5 },
  ],
  [
    "rows that hang after the abort",
    {
      async *rows({ signal }) {
        yield {};
        if (signal.aborted) await new Promise(() => undefined);
      },
      count: async () => 0,
    },
    /gave neither a row nor an end within 50 ms of being stopped/,
    { timeoutMs: 50 },
  ],
];

test.each(broken)(
  "checkReportTypes reports object rows that break their contract: %s",
  async (_, rows, message, check) => {
    const types = createCrewReportTypes(rows);
    expect((await findReportTypeProblems(types, check ?? {})).join("\n")).toMatch(message);
    await expect(checkReportTypes(types, check ?? {})).rejects.toThrow(message);
  },
);

test("checkReportTypes reports a source that cuts rows to the limit before sorting", async () => {
  const rows: Partial<ObjectRows> = {
    rows: (request) => correctCrewSource.rows(request.limit === null ? request : { ...request, sort: [] }),
    count: async (request) => selectCrewRows(request).length,
  };
  expect(await findReportTypeProblems(createCrewReportTypes(rows, []))).toContain(
    "CREW: rows, sorted by name, with limit 3 and the column name: the rows are not the first 3 of all rows.",
  );
  expect(await findReportTypeProblems(createCrewReportTypes({ count: rows.count! }, []))).toEqual([]);
});

test("checkReportTypes passes its requester, and no limit to types with conditions", async () => {
  const asked: ObjectRowsRequest[] = [];
  const requester = { id: "basic:ada", name: "Ada" };
  const rows: Partial<ObjectRows> = {
    rows: (request) => (asked.push(request), correctCrewSource.rows(request)),
  };
  expect(await findReportTypeProblems(createCrewReportTypes(rows), { requester })).toEqual([]);
  expect(new Set(asked.map(({ limit }) => limit))).toEqual(new Set([null]));
  expect(asked[0]).toMatchObject({ requester, columns: ["name", "shifts", "since", "skills", "hired"] });
});

test("checkReportTypes reports an invalid definition of a report type", async () => {
  const types = defineReportTypes([
    { definition: { ...createCrewReportTypes({}).reportTypes[0]!.definition, version: 0 }, authority: "REPORT_CREW" },
  ]);
  expect(await findReportTypeProblems(types)).toEqual([expect.stringMatching(/^CREW: the version must be an integer/)]);
});

test("checkReportTypes needs a value for a required filter, but not for a default one", async () => {
  const typeWith = (rule: { readonly required: true } | { readonly default: boolean }) => {
    const [type] = createCrewReportTypes({}).reportTypes;
    const filters = type!.definition.filters.map((filter) =>
      filter.name === "hired" ? { ...filter, ...rule } : filter,
    );
    return defineReportTypes([{ ...type!, definition: { ...type!.definition, filters } }] as never);
  };
  expect(await findReportTypeProblems(typeWith({ required: true }))).toEqual([
    "CREW: searchParams: The filter hired is required; it must be true or false.",
  ]);
  expect(
    await findReportTypeProblems(typeWith({ required: true }), { searchParams: { CREW: [{ hired: true }] } }),
  ).toEqual([]);
  expect(await findReportTypeProblems(typeWith({ default: true }))).toEqual([]);
});
