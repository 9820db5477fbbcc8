import { afterEach, expect, test, vi } from "vitest";
import { createCatalogue } from "./catalogue.ts";
import { fillDefinitionDefaults } from "./fill-definition-defaults.ts";
import { builtInReportTypes } from "../definitions/built-in-report-types.ts";
import { findDefinitionProblems } from "./definition-problems.ts";
import { defineReportTypes } from "./define-report-types.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";
import type { ReportTypeInput } from "./report-type-input.ts";

const view = {
  type: "INVOICE",
  version: 1,
  title: "Invoices",
  columns: [
    { key: "number", title: "Number", kind: "text" },
    { key: "state", title: "State", kind: "text", tones: { OPEN: "warn" } },
    { key: "amount", title: "Amount", kind: "decimal" },
    { key: "lines", title: "Lines", kind: "integer" },
    { key: "dueAt", title: "Due", kind: "timestamp" },
    { key: "tags", title: "Tags", kind: "list" },
  ],
  filters: [{ name: "team", operator: "in", value: "text", columns: ["team"], description: "Teams." }],
  where: [{ column: "team", isNull: false }],
  groupable: ["state"],
  summary: {
    figures: [{ key: "sum", title: "Sum", kind: "decimal", aggregate: { kind: "sum", column: "amount" } }],
    charts: [{ key: "states", title: "States", categories: { column: "state", top: 5 }, measure: { kind: "count" } }],
    attention: {
      title: "Open",
      where: { column: "state", in: ["OPEN"] },
      columns: ["number", "amount"],
      sort: [{ key: "team", descending: false }],
      limit: 10,
    },
  },
  rows: {
    kind: "view",
    view: "billing.invoices",
    id: "invoice_id",
    columns: {
      number: { column: "invoice_no", type: "text" },
      state: { column: "state", type: "text", rankedBy: "state_rank" },
      amount: { column: "amount", type: "numeric" },
      lines: { column: "lines", type: "integer" },
      dueAt: { column: "due_at", type: "timestamptz" },
      tags: { column: "tags", type: "text[]" },
      team: { column: "team", type: "text" },
      order: { column: "order_id", type: "uuid" },
    },
    living: { column: "deleted_at", isNull: true },
  },
} as const satisfies ReportTypeInput;

const filter = view.filters[0];
const figure = view.summary.figures[0];
const chart = view.summary.charts[0];
const { attention } = view.summary;
const problemsOf = (given: ReportTypeInput): string[] => findDefinitionProblems(fillDefinitionDefaults(given));
const withFilter = (changes: object) => ({ ...view, filters: [{ ...filter, ...changes }] });
const withRange = (from: string, to: string) => ({
  ...view,
  filters: Object.entries({ from, to } as const).map(([operator, end]) => ({
    name: `due${operator}`,
    operator: operator as "from" | "to",
    value: "timestamp" as const,
    columns: ["dueAt"],
    description: "Due.",
    default: end,
  })),
});
const withFigure = (changes: object) => ({ ...view, summary: { figures: [{ ...figure, ...changes }] } });
const withSubtotals = (subtotals: readonly string[], figures: readonly object[] = [figure]) => ({
  ...view,
  summary: { figures, subtotals },
});
const withChart = (changes: object) => ({ ...view, summary: { charts: [{ ...chart, ...changes }] } });
const withAttention = (changes: object) => ({ ...view, summary: { attention: { ...attention, ...changes } } });
const withRows = (changes: object) => ({ ...view, rows: { ...view.rows, ...changes } });
const withWhere = (...where: object[]) => ({ ...view, where });
const titled = (titles: object) =>
  view.columns.map((column) => (column.key === "state" ? { ...column, titles } : column));
const withColumn = (changes: object) => ({ ...view, columns: [...view.columns, { ...view.columns[0], ...changes }] });
const withTones = (...bounds: object[]) =>
  withColumn({ key: "load", kind: "ratio", tonesByNumber: bounds.map((each) => ({ ...each, tone: "bad" })) });
const fromWards = (changes: object = {}) => ({ valuesFrom: { view: "wards", column: "code", ...changes } });

test("a valid definition and the built-in definitions have no problems", () => {
  expect(problemsOf(view)).toEqual([]);
  expect(problemsOf({ ...view, summary: { ...view.summary, subtotals: ["sum"] } })).toEqual([]);
  for (const [kind, aggregate] of [
    ["decimal", { kind: "avg", column: "lines" }],
    ["integer", { kind: "min", column: "lines" }],
    ["timestamp", { kind: "max", column: "dueAt", where: { column: "team", isNull: false } }],
    ["integer", { kind: "distinct", column: "team" }],
  ] as const)
    expect(problemsOf(withFigure({ kind, aggregate }))).toEqual([]);
  expect(builtInReportTypes.flatMap(findDefinitionProblems)).toEqual([]);
});

const parameter = { name: "asOf", value: "timestamp", type: "date", description: "Day." } as const;
const withParameter = (...changes: object[]) =>
  withRows({ parameters: changes.map((each) => ({ ...parameter, ...each })) });

test("each parameter of a view becomes one filter, required if it has no default", () => {
  const definition = fillDefinitionDefaults(
    withParameter({}, { name: "rows", value: "integer", type: undefined, max: 5, default: 1 }),
  );
  expect(fillDefinitionDefaults(definition).filters).toEqual([
    { name: "asOf", value: "timestamp", description: "Day.", operator: "parameter", columns: [], required: true },
    {
      name: "rows",
      value: "integer",
      description: "Day.",
      operator: "parameter",
      columns: [],
      default: 1,
      min: -2_147_483_648,
      max: 5,
    },
    ...view.filters,
  ]);
  expect(problemsOf(withParameter({}, { name: "bytes", value: "integer", type: "bigint" }) as never)).toEqual([]);
});

const broken: readonly (readonly [string, object, RegExp])[] = [
  ["a type in lower case", { ...view, type: "invoice" }, /the type "invoice" must be UPPER_SNAKE/],
  ["a type that is too long", { ...view, type: "A".repeat(64) }, /at most 63 characters/],
  ["version 0", { ...view, version: 0 }, /the version must be an integer from 1 to/],
  ["a title of two lines", { ...view, title: "In\nvoices" }, /the title must be text of 1 to 120 characters/],
  ["an empty description", { ...view, description: " " }, /the description must be text of 1 to 500/],
  ["no columns", { ...view, columns: [] }, /there must be 1 to 200 columns, and there are 0/],
  ["a column twice", withColumn({}), /column "number" appears twice/],
  ["a key in snake case", withColumn({ key: "due_at" }), /column "due_at": a name is camelCase/],
  ["a key that every object has", withColumn({ key: "constructor" }), /"constructor": every JavaScript object has/],
  ["a width of 0", withColumn({ key: "team", width: 0 }), /its width must be an integer from 1 to 200, and is 0/],
  [
    "a column of a later version",
    withColumn({ key: "team", sinceVersion: 9 }),
    /sinceVersion must be an integer from 1/,
  ],
  ["plain digits of a text", withColumn({ key: "team", plainDigits: true }), /plainDigits is for columns of kind int/],
  ["days of a text", withColumn({ key: "team", daysUntil: "expiry" }), /daysUntil is for columns of kind integer, and/],
  ["tones of a number", withColumn({ key: "team", kind: "integer", tones: {} }), /tones are for columns of kind text/],
  [
    "a link of a number",
    withColumn({ key: "team", kind: "integer", link: { column: "state" } }),
    /link is for columns/,
  ],
  [
    "a link to no column",
    withColumn({ key: "team", link: { column: "sate" } }),
    /link: there is no column "sate"\. Did/,
  ],
  [
    "a link without a column",
    withColumn({ key: "team", link: {} }),
    /columns\[\d\]\.link\.column: this field is missing/,
  ],
  ["a tone by number of a text", withColumn({ key: "team", tonesByNumber: [] }), /tonesByNumber is for columns of num/],
  ["no tones by number", withTones(), /tonesByNumber: there must be 1 to 10 tones, and there are 0/],
  ["a tone without bounds", withTones({}), /tonesByNumber\[0\] has one of atLeast and below/],
  ["a tone of infinity", withTones({ below: Infinity }), /below: it is Infinity, and must be a finite number/],
  ["a tone of an empty range", withTones({ atLeast: 1, below: 1 }), /atLeast \(1\) must be smaller than below \(1\)/],
  [
    "a tone whose numbers have earlier tones",
    withTones({ atLeast: 0.9 }, { atLeast: 0.5, below: 0.9 }, { atLeast: 0.6 }),
    /tonesByNumber\[2\] matches no number/,
  ],
  [
    "values of a number from a view",
    withFilter({ value: "uuid", ...fromWards() }),
    /valuesFrom is for in, notIn and has/,
  ],
  [
    "values from an invalid name",
    withFilter({ value: "text", ...fromWards({ column: "a b" }) }),
    /valuesFrom: the name "a b"/,
  ],
  [
    "values from three parts",
    withFilter({ value: "text", ...fromWards({ view: "a.b.c" }) }),
    /"a\.b\.c" must be a name or/,
  ],
  ["titles of a number", withColumn({ key: "team", kind: "integer", titles: { A: "B" } }), /titles are for columns of/],
  ["no titles", withColumn({ key: "team", titles: {} }), /"team": there must be 1 to 1000 titles, and there are 0/],
  ["an empty title", withColumn({ key: "team", titles: { A: " " } }), /the title of "A" must be text of 1 to 120/],
  ["a title twice", withColumn({ key: "team", titles: { A: "X", B: "X" } }), /the title "X" appears twice/],
  [
    "a title of a value that the filter does not have",
    { ...withFilter({ value: "enum", values: ["OPEN"], columns: ["state"] }), columns: titled({ OPN: "Open" }) },
    /its titles: there is no value "OPN"\. Did you mean OPEN\?/,
  ],
  ["meanings without titles", withColumn({ key: "team", meanings: { A: "B." } }), /meanings explain titles, and the/],
  [
    "an empty meaning",
    withColumn({ key: "team", titles: { A: "X" }, meanings: { A: " " } }),
    /the meaning of "A" must be text of 1 to 300/,
  ],
  [
    "a meaning of a value without a title",
    withColumn({ key: "team", titles: { PAID: "Paid" }, meanings: { PAD: "Money came." } }),
    /its meanings: there is no value "PAD"\. Did you mean PAID\?/,
  ],
  [
    "a tone of a value without a title",
    { ...view, columns: titled({ PAID: "Paid" }) },
    /its tones: there is no value "OPEN"\. Allowed: PAID\./,
  ],
  [
    "an unknown prominent filter",
    { ...withFilter({ name: "state" }), prominentFilters: ["stat"] },
    /prominentFilters: there is no filter "stat"\. Did you mean state\?/,
  ],
  [
    "a prominent filter twice",
    { ...withFilter({ name: "state" }), prominentFilters: ["state", "state"] },
    /prominentFilters: filter "state" appears twice/,
  ],
  [
    "an end that is not a time",
    withColumn({ key: "team", expires: true }),
    /expires is for columns of kind timestamp or/,
  ],
  [
    "an unknown sort key",
    { ...view, defaultSort: [{ key: "nmber" }] },
    /defaultSort: .*"nmber".* Did you mean number\?/,
  ],
  [
    "a column of the attention list in a pdf only",
    withAttention({ columns: ["number"], pdfColumns: ["state"] }),
    /attention: its pdfColumns: "state" is not among its columns/,
  ],
  ["a sort by a list", { ...view, defaultSort: [{ key: "tags" }] }, /defaultSort: tags is a list/],
  ["a sort key twice", { ...view, defaultSort: [{ key: "state" }, { key: "state" }] }, /"state" appears twice/],
  [
    "six sort keys",
    { ...view, defaultSort: view.columns.map(({ key }) => ({ key })) },
    /at most 5 keys in defaultSort/,
  ],
  ["an unknown group", { ...view, groupable: ["team"] }, /groupable: there is no column "team". Allowed: number, /],
  ["no formats", { ...view, formats: {} }, /there are no formats/],
  [
    "a limit of 0 rows",
    { ...view, formats: { csv: { maxRows: 0 } } },
    /formats\.csv\.maxRows must be an integer from 1/,
  ],
  ["half a row", { ...view, formats: { csv: { maxRows: 1.5 } } }, /formats\.csv\.maxRows must be an integer from 1/],
  ["a filter twice", { ...view, filters: [filter, filter] }, /filter "team" appears twice/],
  ["a filter on an unknown column", withFilter({ columns: ["tam"] }), /filter "team": there is no column "tam"/],
  ["a filter on no column", withFilter({ columns: [] }), /it names no column to look at/],
  ["a filter in snake case", withFilter({ name: "the_team" }), /filter "the_team": a name is camelCase/],
  ["contains of numbers", withFilter({ operator: "contains", value: "integer" }), /contains takes values of text, and/],
  [
    "from of a text",
    withFilter({ operator: "from" }),
    /from takes values of timestamp, date, time, integer, decimal, and not of text/,
  ],
  ["a text on a number", withFilter({ columns: ["lines"] }), /needs a column of text, and lines is integer/],
  [
    "has on a text",
    withFilter({ operator: "has" }),
    /has with values of text needs a column of text\[\], and team is text/,
  ],
  [
    "text searched in an id",
    withFilter({ operator: "contains", columns: ["order"] }),
    /needs a column of text, and order is uuid/,
  ],
  ["an enum without values", withFilter({ value: "enum" }), /an enum has 1 to 1000 values, and this one has 0/],
  ["an enum value twice", withFilter({ value: "enum", values: ["A", "A"] }), /a value appears twice in values/],
  ["values of a text", withFilter({ values: ["A"] }), /values are for value "enum"/],
  [
    "min above max",
    withFilter({ value: "integer", min: 2, max: 1, columns: ["lines"] }),
    /min \(2\) must not be above max/,
  ],
  ["max of a text", withFilter({ max: 1 }), /min and max are for values "integer" and "decimal"/],
  [
    "days on a text",
    withFilter({ value: "date" }),
    /filter "team": in with values of date needs a column of date, and team is text/,
  ],
  ["decimals on a text", withFilter({ value: "decimal" }), /needs a column of numeric or integer or bigint/],
  [
    "a decimal limit with an exponent",
    withFilter({ value: "decimal", columns: ["lines"], min: 1e-9 }),
    /min must be a number without an exponent, such as 0\.05, and is 1e-9/,
  ],
  ["empty with texts", withFilter({ operator: "empty" }), /empty takes values of boolean, and not of text/],
  [
    "empty of two columns",
    withFilter({ operator: "empty", value: "boolean", columns: ["team", "lines"] }),
    /empty looks at one column, and it names 2/,
  ],
  ["a length of 0", withFilter({ maxLength: 0 }), /maxLength must be an integer from 1 to 4096, and is 0/],
  [
    "a shortest length above the longest one",
    withFilter({ minLength: 3, maxLength: 2 }),
    /minLength must be an integer from 1 to 2, and is 3/,
  ],
  [
    "a required filter with a default",
    withFilter({ required: true, default: "a" }),
    /filter "team": it has both required and default/,
  ],
  ["a default of another kind", withFilter({ default: 5 }), /filters: default: team must be text .*; 5 is not/],
  [
    "defaults that form an empty range",
    withRange("2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z"),
    /duefrom .* must be before dueto \(by default 2026-01-01T00:00:00Z\)/,
  ],
  [
    "defaults that form an empty range at each time",
    withRange("today", "today"),
    /duefrom \(by default today\) must be before dueto \(by default today\)/,
  ],
  [
    "required: false",
    withFilter({ required: false }),
    /filters\[0\]\.required: it is false, and must be true or left out/,
  ],
  ["a parameter in snake case", withParameter({ name: "as_of" }), /filter "as_of": a name is camelCase/],
  ["a parameter with the name of a filter", withParameter({ name: "team" }), /filter "team" appears twice/],
  ["a parameter twice", withParameter({}, {}), /filter "asOf" appears twice/],
  [
    "a parameter of another SQL type",
    withParameter({ type: "integer" }),
    /parameter "asOf": values of timestamp need the type timestamptz or date, and not integer/,
  ],
  [
    "a decimal parameter of an integer",
    withParameter({ value: "decimal", type: "integer" }),
    /parameter "asOf": values of decimal need the type numeric, and not integer/,
  ],
  ["a default of a parameter", withParameter({ default: "soon" }), /filters: default: asOf must be .*"soon" is not/],
  ["a parameter with an operator", withParameter({ operator: "in" }), /rows\.parameters\[0\]: .*operator/],
  [
    "a filter that is a parameter of no function",
    withFilter({ operator: "parameter", columns: [] }),
    /filter "team": its operator is parameter\. Declare it in the parameters of rows/,
  ],
  [
    "too many parameters",
    withParameter(...Array.from({ length: 101 }, (_, at) => ({ name: `p${at}` }))),
    /a function has at most 100 parameters, and there are 101/,
  ],
  ["a filter without a description", withFilter({ description: "" }), /its description must be text/],
  [
    "a condition on an unknown column",
    withWhere({ column: "tem", isNull: true }),
    /where\[0\]: there is no column "tem"/,
  ],
  ["a condition that asks nothing", withWhere({ column: "team" }), /has one of in, atLeast, below and isNull/],
  ["a condition of no values", withWhere({ column: "team", in: [] }), /in takes 1 to 1000 values, and 0 are given/],
  ["null and a value at once", withWhere({ column: "team", in: ["A"], isNull: true }), /no row would meet isNull and/],
  [
    "a text compared with a number",
    withWhere({ column: "team", below: 3 }),
    /compare numbers, and the column is of kind/,
  ],
  ["an empty range", withWhere({ column: "lines", atLeast: 3, below: 3 }), /atLeast \(3\) must be smaller than below/],
  ["a decimal by its text", withWhere({ column: "amount", in: ["1.5"] }), /kind decimal, whose values have many spel/],
  ["an integer by another spelling", withWhere({ column: "lines", in: ["01"] }), /"01" must be an integer in decimal/],
  ["a pdf of an unknown column", { ...view, pdfColumns: ["nmber"] }, /pdfColumns: there is no column "nmber"/],
  ["a pdf of what only the view has", { ...view, pdfColumns: ["team"] }, /pdfColumns: there is no column "team"/],
  [
    "a pdf of one column twice",
    { ...view, pdfColumns: ["number", "number"] },
    /pdfColumns: column "number" appears twice/,
  ],
  ["a pdf of no columns", { ...view, pdfColumns: [] }, /1 to 200 keys in pdfColumns/],
  ["keepsEnd on a number", withColumn({ key: "n", kind: "integer", keepsEnd: true }), /keepsEnd/],
  ["the sum of a text", withFigure({ aggregate: { kind: "sum", column: "state" } }), /a sum is computed from numbers/],
  ["a figure of an unknown column", withFigure({ aggregate: { kind: "sum", column: "amnt" } }), /no column "amnt"/],
  [
    "a weight that is a time",
    withFigure({ aggregate: { kind: "weighted-mean", column: "amount", weight: "dueAt" } }),
    /dueAt is of kind timestamp/,
  ],
  [
    "the mean of a time",
    withFigure({ aggregate: { kind: "avg", column: "dueAt" } }),
    /an avg is computed from numbers or durations, and dueAt is of kind timestamp/,
  ],
  [
    "the least text",
    withFigure({ aggregate: { kind: "min", column: "state" } }),
    /a min is computed from numbers, durations, dates or times, and state is of kind text/,
  ],
  [
    "the different values of a list",
    withFigure({ aggregate: { kind: "distinct", column: "tags" } }),
    /a distinct is computed from single values, and tags is of kind list/,
  ],
  [
    "the latest time as a number",
    withFigure({ aggregate: { kind: "max", column: "dueAt" } }),
    /its aggregate is a max, which is of kind timestamp, and not decimal/,
  ],
  [
    "a mean as a whole number",
    withFigure({ kind: "bigint", aggregate: { kind: "avg", column: "lines" } }),
    /its aggregate is an avg, which is of kind decimal or ratio or duration, and not bigint/,
  ],
  [
    "bars of times",
    withChart({ measure: { kind: "max", column: "dueAt" } }),
    /its measure: bars show numbers, and a max of dueAt is none/,
  ],
  [
    "a wrong condition of a mean",
    withFigure({ aggregate: { kind: "avg", column: "lines", where: { column: "x", isNull: true } } }),
    /no column "x"/,
  ],
  ["subtotals of an unknown figure", withSubtotals(["smu"]), /subtotals: there is no figure "smu"\. .*sum/],
  ["one subtotal twice", withSubtotals(["sum", "sum"]), /subtotals: the figure "sum" appears twice/],
  ["subtotals without groups", { ...withSubtotals(["sum"]), groupable: [] }, /groupable names no column/],
  [
    "a subtotal of what only the view has",
    withSubtotals(
      ["teams"],
      [{ ...figure, key: "teams", kind: "integer", aggregate: { kind: "distinct", column: "team" } }],
    ),
    /the figure "teams" uses "team", which is not a column of the report/,
  ],
  [
    "eleven subtotals",
    withSubtotals(Array.from({ length: 11 }, (_, at) => `f${at}`)),
    /at most 10 subtotals, and there are 11/,
  ],
  [
    "a sum as an integer",
    withFigure({ kind: "integer" }),
    /of kind bigint or decimal or bytes or duration, and not integer/,
  ],
  [
    "a count of a wrong condition",
    withFigure({ aggregate: { kind: "count", where: { column: "x", isNull: true } } }),
    /no column "x"/,
  ],
  ["a figure twice", { ...view, summary: { figures: [figure, figure] } }, /figure "sum" appears twice/],
  [
    "categories of an unknown column",
    withChart({ categories: { column: "stat", top: 3 } }),
    /its categories: there is no/,
  ],
  ["top 0", withChart({ categories: { column: "state", top: 0 } }), /top must be an integer from 1 to 100, and is 0/],
  ["a chart without parts", withChart({ categories: { parts: [] } }), /its parts: there must be 1 to 100 of them/],
  [
    "a part of an unknown column",
    withChart({ categories: { parts: [{ label: "A", where: { column: "x", isNull: true } }] } }),
    /"A": there is no column "x"/,
  ],
  [
    "a series twice",
    withChart({ series: [1, 2].map(() => ({ label: "A", where: attention.where })) }),
    /the label "A" appears twice/,
  ],
  ["a measure of a text", withChart({ measure: { kind: "sum", column: "tags" } }), /tags is of kind list/],
  [
    "attention with an unknown column",
    withAttention({ columns: ["nmber"] }),
    /attention: its columns: there is no column/,
  ],
  [
    "attention that shows what only the view has",
    withAttention({ columns: ["team"] }),
    /its columns: there is no column "team"/,
  ],
  [
    "attention by an unknown key",
    withAttention({ sort: [{ key: "x", descending: true }] }),
    /attention: its sort: there is/,
  ],
  ["attention of 0 rows", withAttention({ limit: 0 }), /attention: limit must be an integer from 1 to 1000, and is 0/],
  ["a view with a quote", withRows({ view: 'x"; drop' }), /must be a name or schema\.name, each part matching/],
  ["a view of three parts", withRows({ view: "a.b.c" }), /must be a name or schema\.name/],
  ["an id in upper case", withRows({ id: "ID" }), /rows: id: the name "ID" must match/],
  [
    "a column of the view with a blank",
    withRows({ columns: { ...view.rows.columns, number: { column: "a b", type: "text" } } }),
    /rows: number: column: the name "a b"/,
  ],
  [
    "a rank with a quote",
    withRows({ columns: { ...view.rows.columns, number: { column: "a", type: "text", rankedBy: "'" } } }),
    /rows: number: rankedBy/,
  ],
  [
    "a view that lacks a column",
    withRows({ columns: { number: view.rows.columns.number } }),
    /lack "state", which the report/,
  ],
  [
    "a view of another type",
    withRows({ columns: { ...view.rows.columns, amount: { column: "a", type: "text" } } }),
    /amount is text in the view, and a column of kind decimal needs numeric/,
  ],
  ["a source in upper case", withRows({ source: "Billing" }), /rows: the source "Billing" must match/],
  ["a column of living with a dot", withRows({ living: { column: "a.b", isNull: true } }), /rows: living: the name/],
];

test.each(broken)("createCatalogue refuses a definition with %s and says what is allowed", (_, given, message) => {
  const definition = fillDefinitionDefaults(given as ReportTypeInput);
  expect(findDefinitionProblems(definition).join("\n")).toMatch(message);
  expect(() => createCatalogue([definition])).toThrow(message);
});

/** Mistakes that TypeScript refuses at compile time, so that only authors in JavaScript make them. */
const misshapen: readonly (readonly [string, object, RegExp])[] = [
  [
    "a kind that there is not",
    withColumn({ kind: "texxt" }),
    /columns\[6\]\.kind: there is no value .* Allowed: text, integer/,
  ],
  [
    "a tone that there is not",
    withFigure({ tone: "ugly" }),
    /summary\.figures\[0\]\.tone: there is no value "ugly"\. Allowed: good, warn/,
  ],
  ["a format that there is not", { ...view, formats: { docx: {} } }, /formats.*docx/],
  [
    "an operator that there is not",
    withFilter({ operator: "like" }),
    /filters\[0\]\.operator: there is no value "like"\. Allowed: in/,
  ],
  ["a field that there is not", { ...view, wehre: [] }, /there is no field "wehre"\. Did you mean where\?/],
  [
    "a condition that is misspelt",
    withWhere({ column: "team", isNul: false }),
    /where\[0\]: there is no field "isNul"\. Did you mean isNull\?/,
  ],
  [
    "objects without a function",
    { ...view, rows: { kind: "objects" } },
    /rows\.rows: this field is missing\. It must be a function/,
  ],
  ["rows of SQL", { ...view, rows: { kind: "sql", sql: "select 1" } }, /rows\.kind: /],
  ["no columns at all", { ...view, columns: undefined }, /columns: this field is missing\. It must be a list/],
];

test.each(misshapen)("findDefinitionProblems finds %s in a definition from JavaScript", (_, given, message) => {
  expect(findDefinitionProblems(given as ReportTypeDefinition).join("\n")).toMatch(message);
});

test("createCatalogue reports all problems of all types together", () => {
  const first = fillDefinitionDefaults({ ...view, version: 0, groupable: ["x"] });
  const second = fillDefinitionDefaults({ ...view, type: "ORDER", title: "" });
  expect(() => createCatalogue([first, second, fillDefinitionDefaults(view)])).toThrow(
    /INVOICE: the version[\s\S]*INVOICE: groupable[\s\S]*ORDER: the title[\s\S]*INVOICE is registered twice/,
  );
});

test("createCatalogue refuses a type whose schema name OpenAPI already uses", () => {
  const taken = fillDefinitionDefaults({ ...view, type: "NORMALISED" });
  expect(() => createCatalogue([taken])).toThrow(/a type cannot be called NORMALISED/);
});

test("createCatalogue refuses two types with the same schema name in OpenAPI", () => {
  const types = ["INVOICE_1", "INVOICE1"].map((type) => fillDefinitionDefaults({ ...view, type }));
  expect(() => createCatalogue(types)).toThrow(/INVOICE1 and INVOICE_1 have the same name in OpenAPI, Invoice1/);
});

test("an unknown key does not hide the other problems of a definition", () => {
  const given = {
    ...view,
    version: 0,
    groupby: ["state"],
    pdfColumns: ["nowhere"],
    columns: [{ ...view.columns[0], colour: "red" }],
  };
  const { definition } = defineReportTypes([{ definition: given as never, authority: "REPORT_INVOICE" }])
    .reportTypes[0]!;
  const problems = findDefinitionProblems(definition);
  for (const expected of [/groupby/, /colour/, /the version/, /pdfColumns.*nowhere/])
    expect(problems.filter((problem) => expected.test(problem))).toHaveLength(1);
});

afterEach(() => void vi.useRealTimers());

test.each([
  ["thisMonth", "today"],
  ["2026-11-30T00:00:00Z", "today"],
  ["today", "2026-11-30T00:00:00Z"],
  ["today", "now+P7973Y"],
])("a definition with a default range from %s to %s is valid on each day", (from, to) => {
  for (const day of ["2026-11-26", "2026-12-01", "2027-06-01"]) {
    vi.useFakeTimers({ now: new Date(day), toFake: ["Date"] });
    expect({ day, problems: problemsOf(withRange(from, to)) }).toEqual({ day, problems: [] });
  }
});
