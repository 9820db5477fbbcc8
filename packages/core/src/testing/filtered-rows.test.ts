import { expect, test } from "vitest";
import { defineReportTypes } from "../report/types/define-report-types.ts";
import type { ObjectRow, ObjectRows } from "../report/types/row-source.ts";
import { findReportTypeProblems } from "./check-report-types.ts";

const lots: readonly ObjectRow[] = [
  { lot: "A", due: new Date("2026-01-31T12:00:00Z"), price: "10.50", owner: "ann", opens: "08:30", open: 59.5 },
  { lot: "B", due: "2026-03-01", price: null, owner: null },
];
const filter = { description: "Any." } as const;

async function problemsOf(rows: ObjectRows["rows"], given: Readonly<Record<string, unknown>>, timezone = "UTC") {
  const types = defineReportTypes([
    {
      authority: "REPORT_LOT",
      definition: {
        type: "LOT",
        version: 1,
        title: "Lots",
        columns: [
          { key: "lot", title: "Lot", kind: "text" },
          { key: "due", title: "Due", kind: "date" },
          { key: "price", title: "Price", kind: "decimal" },
          { key: "owner", title: "Owner", kind: "text" },
          { key: "opens", title: "Opens", kind: "time" },
          { key: "open", title: "Open", kind: "duration" },
        ],
        filters: [
          { ...filter, name: "dueFrom", operator: "from", value: "date", columns: ["due"] },
          { ...filter, name: "dueTo", operator: "to", value: "date", columns: ["due"] },
          { ...filter, name: "priceFrom", operator: "from", value: "decimal", columns: ["price"] },
          { ...filter, name: "ownerNot", operator: "notIn", value: "text", columns: ["owner"] },
          { ...filter, name: "ownerPart", operator: "contains", value: "text", columns: ["owner"] },
          { ...filter, name: "ownerSuffix", operator: "suffix", value: "text", columns: ["owner"] },
          { ...filter, name: "ownerHost", operator: "serves", value: "hostname", columns: ["owner"] },
          { ...filter, name: "opensFrom", operator: "from", value: "time", columns: ["opens"] },
          { ...filter, name: "openFrom", operator: "from", value: "integer", columns: ["open"] },
          { ...filter, name: "ownerEmpty", operator: "empty", value: "boolean", columns: ["owner"] },
        ],
        rows: { kind: "objects", rows },
      },
    },
  ]);
  const problems = await findReportTypeProblems(types, { searchParams: { LOT: [given] }, timezone });
  return problems.filter((problem) => problem.startsWith("LOT: rows: "));
}

const ignoring: ObjectRows["rows"] = async function* () {
  yield* lots;
};

test.each([
  [{ dueFrom: "2026-02-01" }, "row 1 has due before 2026-02-01, or none."],
  [{ dueTo: "2026-03-01" }, "row 2 has due at or after 2026-03-01, or none."],
  [{ priceFrom: "10.500000000000000001" }, "row 1 has price before 10.500000000000000001, or none."],
  [{ ownerNot: ["ann", "bob"] }, "row 1 has owner of ann, bob, which the filter excludes."],
  [{ ownerPart: "AX" }, "row 1 does not have owner of AX."],
  [{ ownerSuffix: "nn" }, "row 1 does not have owner of nn."],
  [{ ownerHost: "a.example.org" }, "row 1 does not have owner of a.example.org."],
  [{ opensFrom: "08:30:00.5" }, "row 1 has opens before 08:30:00.5, or none."],
  [{ openFrom: 60 }, "row 1 has open before 60, or none."],
  [{ ownerEmpty: true }, "row 1 has a value of owner."],
  [{ ownerEmpty: false }, "row 2 has no value of owner."],
])("the check of report types reports a row that the filters %j exclude", async (given, problem) => {
  expect(await problemsOf(ignoring, given)).toEqual([`LOT: rows: ${problem}`]);
});

test("the check of report types takes the day of a time in the check's time zone", async () => {
  expect(await problemsOf(ignoring, { dueFrom: "2026-02-01" }, "Pacific/Kiritimati")).toEqual([]);
});

test("the check of report types accepts null in a column with an excluding filter", async () => {
  const second: ObjectRows["rows"] = async function* () {
    yield lots[1]!;
  };
  expect(await problemsOf(second, { ownerNot: ["ann"] })).toEqual([]);
});
