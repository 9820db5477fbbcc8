import { describe, expect, test } from "vitest";
import { createCatalogue } from "./catalogue.ts";
import { defineReportTypes } from "./define-report-types.ts";
import { defaultFormatLimits } from "./format.ts";
import { readReportTypes } from "./read-report-types.ts";
import type { CheckedReportType, ReportTypeInput } from "./report-type-input.ts";

const columns = [
  { key: "name", title: "Name", kind: "text" },
  { key: "shifts", title: "Shifts", kind: "integer", width: 7 },
  { key: "skills", title: "Skills", kind: "list" },
] as const;
const rows = {
  kind: "objects",
  async *rows() {
    yield { name: "Ada", shifts: 3, skills: ["sql"] };
  },
} as const;
const view = { kind: "view", view: "crew", id: "id", columns: { name: { column: "name", type: "text" } } } as const;
const [name] = columns;
const short = { type: "CREW", version: 1, title: "Crew", columns, rows } as const;
const authority = "REPORT_CREW";

describe("a short definition", () => {
  const { reportTypes } = defineReportTypes([{ definition: short, authority }]);

  test("a definition of only the required fields gets a default for all others", () => {
    expect(reportTypes).toEqual([
      {
        authority,
        definition: {
          ...short,
          description: "Shows Name, Shifts and Skills.",
          columns: [
            { ...columns[0], width: 20 },
            { ...columns[1], width: 7 },
            { ...columns[2], width: 24 },
          ],
          filters: [],
          where: [],
          defaultSort: [{ key: "name", descending: false }],
          prominentFilters: [],
          pdfColumns: ["name", "shifts", "skills"],
          groupable: [],
          formats: defaultFormatLimits,
          summary: {
            figures: [{ key: "rows", title: "Rows", kind: "integer", aggregate: { kind: "count" } }],
            charts: [],
          },
        },
      },
    ]);
    expect(() => createCatalogue(reportTypes.map(({ definition }) => definition))).not.toThrow();
  });

  test("a sort key of the attention list is ascending by default", () => {
    const where = { column: "name", isNull: true } as const;
    const list = { title: "A", where, columns: ["name"], limit: 1 } as const;
    const attention = { ...list, sort: [{ key: "name" }, { key: "shifts", descending: true }] } as const;
    const types = defineReportTypes([{ definition: { ...short, summary: { attention } }, authority }]);
    expect(readReportTypes(types)).toMatchObject({ ok: true });
    expect(types.reportTypes[0]?.definition.summary.attention?.sort).toEqual([
      { key: "name", descending: false },
      { key: "shifts", descending: true },
    ]);
  });

  test("chosen formats get default limits, and the default sort is never by a list", () => {
    const given = { ...short, columns: [columns[2], columns[0]], formats: { json: {}, csv: { maxRows: 5 } } } as const;
    const [entry] = defineReportTypes([{ definition: given, authority }]).reportTypes;
    expect(entry?.definition.formats).toEqual({ csv: { maxRows: 5 }, json: defaultFormatLimits.json });
    expect(Object.keys(entry?.definition.formats ?? {})).toEqual(["csv", "json"]);
    expect(entry?.definition.defaultSort).toEqual([{ key: "name", descending: false }]);
  });
});

describe("default export of a package", () => {
  test("readReportTypes accepts report types that another copy of core made", async () => {
    const copy = "./define-report-types.ts?copy";
    const other = (await import(/* @vite-ignore */ copy)) as { defineReportTypes: typeof defineReportTypes };
    expect(other.defineReportTypes).not.toBe(defineReportTypes);
    const made = other.defineReportTypes([{ definition: short, authority }]);
    expect(readReportTypes(made)).toEqual({ ok: true, reportTypes: made.reportTypes });
  });

  test.each([undefined, null, [], {}, "REPORT", { reportTypes: [{ definition: short, authority }] }])(
    "readReportTypes refuses an export that defineReportTypes did not make: %j",
    (value) => {
      const read = readReportTypes(value);
      expect(read.ok || read.problems).toEqual([expect.stringContaining("defineReportTypes")]);
    },
  );

  test("defineReportTypes throws if its argument is not a list", () => {
    expect(() => defineReportTypes({ definition: short, authority } as never)).toThrow(/takes a list of/);
  });

  test("readReportTypes refuses report types of another major version of core", () => {
    const made = defineReportTypes([{ definition: short, authority }]);
    const [brand] = Object.getOwnPropertySymbols(made);
    const read = readReportTypes({ ...made, [brand!]: "99.1.0" });
    expect(read.ok || read.problems).toEqual([expect.stringContaining("made by @reports/core 99.1.0")]);
  });

  test("readReportTypes refuses invalid report types and lists all their problems", () => {
    const broken = { ...short, type: "crew", version: 0 };
    const shapeless = { ...short, type: "OTHER", columns: "name" } as unknown as ReportTypeInput;
    const types = defineReportTypes([
      { definition: broken, authority },
      { definition: short, authority: 'a "b"' },
      { definition: { ...short, type: "NOBODYS" }, authority: undefined as unknown as string },
      { definition: shapeless, authority },
      null as never,
    ]);
    const read = readReportTypes(types);
    expect(read.ok ? [] : read.problems).toEqual([
      expect.stringMatching(/^crew: the type "crew" must be UPPER_SNAKE/),
      expect.stringMatching(/^crew: the version/),
      expect.stringMatching(/^OTHER: columns: /),
      expect.stringMatching(
        /^A report type without a name: the definition: it is .*, and must be an object|the definition: this field is missing/,
      ),
      expect.stringMatching(/^CREW: its authority must be 1-100 visible characters/),
      expect.stringMatching(/^NOBODYS: its authority must be 1-100 visible characters/),
      expect.stringMatching(/^A report type without a name: its authority must be/),
    ]);
  });
});

function checked<const Given extends ReportTypeInput>(definition: Given & CheckedReportType<Given>): ReportTypeInput {
  return definition;
}

describe("a definition", () => {
  const count = { kind: "count" } as const;
  const filter = { name: "q", operator: "contains", value: "text", description: "Text." } as const;
  const teamView = { ...view, columns: { ...view.columns, team: { column: "team", type: "text" } } } as const;
  const byTeam = { filters: [{ ...filter, columns: ["team"] }], where: [{ column: "team", isNull: false }] } as const;
  const ofView = { ...short, columns: [name] } as const;
  const nowhere = { column: "nme", isNull: true } as const;
  const parts = [{ label: "A", where: nowhere }] as const;
  const figure = { key: "f", title: "F", kind: "ratio" } as const;
  const figureOf = {
    sum: [{ ...figure, aggregate: { kind: "sum", column: "shfts" } }],
    mean: [{ ...figure, aggregate: { kind: "weighted-mean", column: "shifts", weight: "x" } }],
    count: [{ ...figure, aggregate: { kind: "count", where: nowhere } }],
  } as const;
  const chart = { key: "names", title: "Names", measure: count, categories: { column: "name", top: 3 } } as const;
  const attention = {
    title: "A",
    where: { column: "name", isNull: true },
    columns: ["name"],
    sort: [],
    limit: 1,
  } as const;
  const day = { name: "asOf", value: "date", default: "today", description: "Day." } as const;
  const wrongRows = {
    kind: "objects",
    async *rows() {
      yield { name: 5 };
    },
  } as const;

  test("a definition that names its own columns, or those of its view, compiles", () => {
    const loose: ReportTypeInput = { ...short, type: "LOOSE" };
    const types = defineReportTypes([
      { definition: loose, authority },
      {
        definition: checked({ ...short, groupable: ["name"], defaultSort: [{ key: "shifts", descending: true }] }),
        authority,
      },
      { definition: checked({ ...short, type: "CHART", summary: { charts: [chart], attention } }), authority },
      { definition: checked({ ...ofView, type: "VIEW", rows: teamView, ...byTeam }), authority },
      {
        definition: checked({
          ...ofView,
          type: "FUNCTION",
          rows: { ...teamView, parameters: [day] },
          filters: [{ ...byTeam.filters[0], required: true }],
        }),
        authority,
      },
    ]);
    expect(readReportTypes(types)).toEqual({ ok: true, reportTypes: types.reportTypes });
  });

  test("a definition with an unknown column, field or kind does not compile", () => {
    // @ts-expect-error: the default sort names an unknown column.
    checked({ ...short, defaultSort: [{ key: "nme" }] });
    // @ts-expect-error: `groupable` names an unknown column.
    checked({ ...short, groupable: ["nme"] });
    // @ts-expect-error: a fixed condition names an unknown column.
    checked({ ...short, where: [nowhere] });
    // @ts-expect-error: a filter names an unknown column.
    checked({ ...short, filters: [{ ...filter, columns: ["nme"] }] });
    // @ts-expect-error: a filter names a column that the view lacks.
    checked({ ...ofView, rows: view, filters: byTeam.filters });
    // @ts-expect-error: a sum names an unknown column.
    checked({ ...short, summary: { figures: figureOf.sum } });
    // @ts-expect-error: the weight of a mean is an unknown column.
    checked({ ...short, summary: { figures: figureOf.mean } });
    // @ts-expect-error: the condition of a figure names an unknown column.
    checked({ ...short, summary: { figures: figureOf.count } });
    // @ts-expect-error: the categories of a chart are an unknown column.
    checked({ ...short, summary: { charts: [{ ...chart, categories: { column: "nme", top: 3 } }] } });
    // @ts-expect-error: the parts of a chart name an unknown column.
    checked({ ...short, summary: { charts: [{ ...chart, categories: { parts } }] } });
    // @ts-expect-error: the series of a chart names an unknown column.
    checked({ ...short, summary: { charts: [{ ...chart, series: parts }] } });
    // @ts-expect-error: the measure of a chart names an unknown column.
    checked({ ...short, summary: { charts: [{ ...chart, measure: { kind: "sum", column: "nme" } }] } });
    // @ts-expect-error: the attention list shows an unknown column.
    checked({ ...short, summary: { attention: { ...attention, columns: ["nme"] } } });
    // @ts-expect-error: the condition of the attention list names an unknown column.
    checked({ ...short, summary: { attention: { ...attention, where: nowhere } } });
    // @ts-expect-error: the attention list is sorted by an unknown column.
    checked({ ...short, summary: { attention: { ...attention, sort: [{ key: "nme", descending: true }] } } });
    // @ts-expect-error: the view lacks two columns of the report.
    checked({ ...short, rows: view });
    // @ts-expect-error: `day` is not a kind of filter value.
    checked({ ...ofView, rows: { ...teamView, parameters: [{ ...day, value: "day" }] } });
    // @ts-expect-error: the parameter has no description.
    checked({ ...ofView, rows: { ...teamView, parameters: [{ name: "asOf", value: "date" }] } });
    // @ts-expect-error: the default of a filter is an object.
    checked({ ...short, filters: [{ ...filter, columns: ["name"], default: {} }] });
    // @ts-expect-error: the rows contain a number in a column of kind `text`.
    checked({ ...short, rows: wrongRows });
    // @ts-expect-error: a definition has no field `wehre`.
    checked({ ...short, wehre: [] });
    // @ts-expect-error: `string` is not a kind of column.
    checked({ ...short, columns: [{ ...name, kind: "string" }] });
    // @ts-expect-error: defineReportTypes refuses the unknown column, too.
    defineReportTypes([{ definition: { ...short, groupable: ["nme"] }, authority }]);
    // @ts-expect-error: the report type has no authority.
    expect(readReportTypes(defineReportTypes([{ definition: short }])).ok).toBe(false);
  });
});
