import { expect, test } from "vitest";
import type { ObjectRow, ObjectRows, ObjectRowsRequest } from "../report/types/row-source.ts";
import { findReportTypeProblems } from "./check-report-types.ts";
import { selectCrewRows, correctCrewSource, createCrewReportTypes } from "./all-crew-rows.fixture.ts";

test("the check of report types allows rows after an abort that are already in memory", async () => {
  const rows: Partial<ObjectRows> = {
    async *rows() {
      yield* Array.from({ length: 2_000 }, (): ObjectRow => ({ hired: true }));
    },
  };
  expect(await findReportTypeProblems(createCrewReportTypes({ ...rows, count: async () => 2_000 }))).toEqual([]);
});

test("the check of report types ends even if a source yields rows without end", async () => {
  const rows: Partial<ObjectRows> = {
    async *rows() {
      for (;;) yield {};
    },
  };
  expect(
    await findReportTypeProblems(createCrewReportTypes({ ...rows, count: async () => 10 ** 6 }), { timeoutMs: 50 }),
  ).toEqual(["CREW: rows failed: gave neither a row nor an end within 50 ms of being stopped."]);
});

test("the check of report types tries all sorts only with the first set of filters", async () => {
  const asked: ObjectRowsRequest[] = [];
  let counts = 0;
  const rows: Partial<ObjectRows> = {
    rows: (request) => (asked.push(request), correctCrewSource.rows(request)),
    count: async (request) => (counts++, selectCrewRows(request).length),
  };
  const seven = Array.from({ length: 7 }, (_, at) => ({ skill: `skill ${at}` }));
  expect(
    await findReportTypeProblems(createCrewReportTypes(rows, []), { searchParams: { CREW: [{}, ...seven] } }),
  ).toEqual([]);
  expect(asked).toHaveLength(18);
  expect(counts).toBe(8);
  expect(new Set(asked.filter(({ searchParam }) => "skill" in searchParam).map(({ sort }) => sort[0]!.key))).toEqual(
    new Set(["name"]),
  );
});

test("the check of report types reads a source that is down once per set of filters", async () => {
  let reads = 0;
  const rows = () => {
    reads++;
    throw new Error("Away.");
  };
  await findReportTypeProblems(createCrewReportTypes({ rows }), {
    searchParams: { CREW: [{}, { skill: "sql" }, { hired: [true] }] },
  });
  expect(reads).toBe(3);
});

test("the check of report types adds no second full stop to an error message", async () => {
  const failure = (): never => {
    throw new Error("The service of crews does not answer.");
  };
  const found = await findReportTypeProblems(createCrewReportTypes({ rows: failure, count: async () => failure() }));
  expect(found[0]).toBe("CREW: rows, sorted by name, failed: The service of crews does not answer.");
  expect(found.filter((problem) => problem.endsWith(".."))).toEqual([]);
});
