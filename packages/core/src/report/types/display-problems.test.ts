import { expect, test } from "vitest";
import { fillDefinitionDefaults } from "./fill-definition-defaults.ts";
import { findDefinitionProblems } from "./definition-problems.ts";
import type { ReportTypeInput } from "./report-type-input.ts";

const view = {
  type: "INVOICE",
  version: 1,
  title: "Invoices",
  columns: [
    { key: "number", title: "Number", kind: "text" },
    { key: "state", title: "State", kind: "text" },
    { key: "amount", title: "Amount", kind: "decimal" },
    { key: "lines", title: "Lines", kind: "integer" },
  ],
  rows: { kind: "objects", rows: async function* () {} },
} as const satisfies ReportTypeInput;

const problemsOf = (given: ReportTypeInput): string[] => findDefinitionProblems(fillDefinitionDefaults(given));

const withColumn = (changes: object) =>
  problemsOf({
    ...view,
    columns: view.columns.map((column) => (column.key === "amount" ? { ...column, ...changes } : column)),
  });

test.each([
  [{ unit: "kg" }, []],
  [{ currency: "EUR", digits: 0 }, []],
  [{ unit: "kg", currency: "EUR" }, ["unit and currency exclude each other; the currency is the unit of an amount."]],
  [{ unit: "" }, ["its unit must be text of 1 to 20 characters without control characters."]],
  [{ currency: "EURO" }, ['its currency must be a code of ISO 4217, and "EURO" is none']],
  [{ digits: 21 }, ["digits must be an integer from 0 to 20, and is 21."]],
  [{ kind: "text", unit: "kg" }, ["unit is for the kinds integer, bigint and decimal, and it is text."]],
  [{ kind: "duration", digits: 3 }, []],
  [{ kind: "duration", digits: 4 }, ["digits must be an integer from 0 to 3, and is 4."]],
  [{ kind: "duration", unit: "h" }, ["unit is for the kinds integer, bigint and decimal, and it is duration."]],
  [
    { kind: "time", digits: 1 },
    ["digits is for the kinds decimal, ratio and duration and for amounts, and it is time."],
  ],
  [
    { kind: "bytes", digits: 1 },
    ["digits is for the kinds decimal, ratio and duration and for amounts, and it is bytes."],
  ],
  [
    { kind: "bigint", currency: "EUR", plainDigits: true },
    ["currency does not go with plainDigits or daysUntil, whose numbers have no unit."],
  ],
  [{ currency: { column: "lines" } }, ["its currency: lines must have codes and be of kind text, and it is integer."]],
])("a definition whose column has %j has the problems %j", (changes, problems) => {
  const found = withColumn(changes).filter((problem) => problem.startsWith('column "amount": '));
  const shown = found.map((problem) => problem.replace('column "amount": ', "").replace(/(?<=is none).*/, ""));
  expect(shown).toEqual(problems);
});

const mixed = (figure: object, more: object = {}) =>
  problemsOf({
    ...view,
    columns: view.columns.map((column) =>
      column.key === "amount" ? { ...column, currency: { column: "state" } } : column,
    ),
    pdfColumns: ["number", "amount", "state"],
    summary: {
      figures: [{ key: "sum", title: "Sum", kind: "decimal", aggregate: { kind: "sum", column: "amount", ...figure } }],
    },
    ...more,
  });
const mixture =
  'figure "sum": the sum of amount would mix currencies, because each row has its own in state. Restrict it to one, such as where: { column: "state", in: ["EUR"] }.';

test("a definition whose sum could mix currencies is refused", () => {
  expect(mixed({})).toEqual([mixture]);
  expect(mixed({ where: { column: "state", in: ["EUR", "USD"] } })).toEqual([mixture]);
  expect(mixed({ where: { column: "state", in: ["EUR"] } })).toEqual([]);
  expect(mixed({}, { where: [{ column: "state", in: ["EUR"] }] })).toEqual([]);
  const measure = { kind: "sum", column: "amount" } as const;
  const charts = [{ key: "states", title: "States", categories: { column: "state", top: 5 }, measure }] as const;
  expect(mixed({}, { summary: { charts } })).toEqual([mixture.replace('figure "sum"', 'chart "states": its measure')]);
});

test("an attention list of amounts is refused without the column of their currency", () => {
  const attention = {
    title: "Large",
    where: { column: "amount", atLeast: 1_000 },
    columns: ["number", "amount"],
    sort: [],
    limit: 5,
  } as const;
  expect(mixed({}, { summary: { figures: [], attention } })).toEqual([
    "attention: its columns: amount needs state next to it, which has the currency of each row.",
  ]);
});
