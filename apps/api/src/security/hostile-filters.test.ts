import { readFileSync } from "node:fs";
import type { Filter, FilterOperator, FilterValueKind } from "@reports/core/query";
import { defineReportTypes, type ReportTypeInput, type ViewColumn } from "@reports/core/report-type";
import { createTestCaseDivider } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

const shareForNext = createTestCaseDivider();
const hostileTexts = ["sql", "text"].flatMap(
  (name) => JSON.parse(readFileSync(new URL(`../test/corpora/${name}.json`, import.meta.url), "utf8")) as string[],
);

const columnOf = {
  text: "text",
  enum: "text",
  hostname: "text",
  uuid: "uuid",
  integer: "integer",
  decimal: "numeric",
  boolean: "boolean",
  timestamp: "timestamptz",
  date: "date",
  time: "time",
} as const satisfies Readonly<Record<FilterValueKind, ViewColumn["type"]>>;
const kinds = Object.keys(columnOf) as FilterValueKind[];

const ordered: readonly FilterValueKind[] = ["timestamp", "date", "time", "integer", "decimal"];
const kindsOf: Readonly<Record<FilterOperator, readonly FilterValueKind[]>> = {
  in: kinds,
  notIn: kinds,
  contains: ["text"],
  suffix: ["text", "hostname"],
  serves: ["hostname"],
  has: ["text", "enum"],
  from: ordered,
  to: ordered,
  empty: ["boolean"],
  parameter: kinds,
};

const filters = Object.entries(kindsOf).flatMap(([operator, values]) =>
  values.map((value) => ({ name: `${value}${operator}`, operator: operator as FilterOperator, value })),
);
const enumOf = (value: FilterValueKind) => (value === "enum" ? { values: ["A", "B"] } : {});
const viewFilters = filters
  .filter(({ operator }) => operator !== "parameter")
  .map(({ name, operator, value }): Filter => ({
    name,
    operator,
    value,
    columns: [operator === "has" ? "list" : value],
    description: "A filter.",
    ...enumOf(value),
  }));
const valuesFrom = { view: "hostile_values", column: "a_text" };
const defineType = (
  type: string,
  rows: Pick<Extract<ReportTypeInput["rows"], { kind: "view" }>, "view" | "parameters">,
  typeFilters: readonly Filter[],
): { readonly authority: string; readonly definition: ReportTypeInput } => ({
  authority: "REPORT_HOSTILE",
  definition: {
    type,
    version: 1,
    title: type,
    columns: [{ key: "text", title: "Text", kind: "text" }],
    filters: typeFilters,
    rows: {
      kind: "view",
      id: "a_text",
      columns: {
        ...Object.fromEntries(kinds.map((kind) => [kind, { column: `a_${kind}`, type: columnOf[kind] }])),
        list: { column: "a_list", type: "text[]" },
      },
      ...rows,
    },
  },
});
const { reportTypes } = defineReportTypes([
  defineType("OF_VIEW", { view: "hostile_rows" }, [
    ...viewFilters,
    { name: "fromData", operator: "in", value: "text", columns: ["text"], valuesFrom, description: "A filter." },
  ]),
  defineType(
    "OF_FUNCTION",
    {
      view: "hostile_call",
      parameters: kinds.map((value) => ({
        name: `${value}parameter`,
        value,
        description: "A parameter.",
        ...enumOf(value),
      })),
    },
    [],
  ),
] as const);

const valid: Readonly<Record<FilterValueKind, string>> = {
  text: "x",
  enum: "A",
  hostname: "a.example.org",
  uuid: "018f0000-0000-7000-8000-00000000dead",
  integer: "1",
  decimal: "1.5",
  boolean: "true",
  timestamp: "2026-01-31T00:00:00Z",
  date: "2026-01-31",
  time: "08:30",
};
const argumentTypes = kinds.map((kind) => `p_${kind} ${columnOf[kind]}`).join(", ");

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest({ reportTypes });
  await api.sql.unsafe(`
    create table hostile_rows (${kinds.map((kind) => `a_${kind} ${columnOf[kind]}`).join(", ")}, a_list text[]);
    insert into hostile_rows (a_text, a_list) values ('safe', '{safe}');
    create view hostile_values as select a_text from hostile_rows;
    create function hostile_call(${argumentTypes}) returns setof hostile_rows language sql stable
      as $$ select * from hostile_rows where a_text = p_text $$;`);
});
afterAll(async () => api[Symbol.asyncDispose]());

const stored = async () => api.sql`select a_text, a_list, (select count(*) from users) as users from hostile_rows`;

test.each(filters)(
  "a filter $operator of the kind $value takes hostile text as a value or refuses it",
  async ({ name, operator }) => {
    const before = await stored();
    const agent = await api.as(["REPORT_HOSTILE"]);
    const type = operator === "parameter" ? "OF_FUNCTION" : "OF_VIEW";
    const others = Object.entries(valid).map(([kind, value]) => [`${kind}parameter`, value] as const);
    const given = operator === "parameter" ? Object.fromEntries(others) : {};
    for (const hostile of shareForNext(hostileTexts, 24)) {
      const query = new URLSearchParams({ searchParam: JSON.stringify({ ...given, [name]: hostile }) });
      const { status, body } = await agent.get(`/v1/report-types/${type}/rows?${query.toString()}`);
      expect([hostile, status]).toEqual([hostile, status === 200 ? 200 : 400]);
      // No stored value equals or contains a hostile one, so only filters that exclude it, or find missing values, find the row.
      const mayFindRow = status === 400 || operator === "notIn" || operator === "empty";
      expect([hostile, body]).toEqual([hostile, mayFindRow ? body : []]);
    }
    expect(await stored()).toEqual(before);
  },
);

test("a filter with values from data refuses hostile text with a short error", async () => {
  const agent = await api.as(["REPORT_HOSTILE"]);
  for (const hostile of shareForNext(hostileTexts, 6)) {
    const query = new URLSearchParams({ "searchParam[fromData]": hostile });
    const { status, text } = await agent.get(`/v1/report-types/OF_VIEW/rows?${query.toString()}`);
    expect([hostile, status]).toEqual([hostile, 400]);
    expect(text.length).toBeLessThan(4_000);
  }
});
