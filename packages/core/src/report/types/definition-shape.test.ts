import { expect, test } from "vitest";
import { checkDefinitionShape } from "./definition-shape.ts";

const column = { key: "a", title: "A", kind: "text" };
const filter = { name: "a", operator: "in", value: "text", columns: ["a"], description: "A." };
const chart = { key: "a", title: "A", categories: { column: "a", top: 3 }, measure: { kind: "count" } };
const figure = { key: "a", title: "A", kind: "integer", aggregate: { kind: "count" } };
const attention = { title: "A", where: { column: "a" }, columns: ["a"], sort: [], limit: 3 };
const view = { kind: "view", view: "v", id: "id", columns: { a: { column: "a", type: "text" } } };
const good = { type: "A", version: 1, title: "A", columns: [column], rows: { kind: "objects", rows: () => [] } };

const withColumn = (changes: object) => ({ ...good, columns: [{ ...column, ...changes }] });
const withFilter = (changes: object) => ({ ...good, filters: [{ ...filter, ...changes }] });
const withChart = (changes: object) => ({ ...good, summary: { charts: [{ ...chart, ...changes }] } });
const withFigure = (changes: object) => ({ ...good, summary: { figures: [{ ...figure, ...changes }] } });
const withAttention = (changes: object) => ({ ...good, summary: { attention: { ...attention, ...changes } } });
const withView = (changes: object) => ({ ...good, rows: { ...view, ...changes } });
const numberOrText = "must be a text, or a finite number, or true or false";

const wrong: readonly (readonly [unknown, string])[] = [
  [undefined, "the definition: this field is missing. It must be an object."],
  [null, "the definition: it is null, and must be an object."],
  [[], "the definition: it is a list, and must be an object."],
  ["x", 'the definition: it is the text "x", and must be an object.'],
  [{}, "type: this field is missing. It must be a text."],
  [
    { ...good, colums: [] },
    'the definition: there is no field "colums". Did you mean columns? Allowed: type, version,',
  ],
  [{ ...good, columns: {} }, "columns: it is an object, and must be a list."],
  [{ ...good, columns: ["a"] }, 'columns[0]: it is the text "a", and must be an object.'],
  [{ ...good, version: "1" }, 'version: it is the text "1", and must be a finite number.'],
  [{ ...good, version: Number.NaN }, "version: it is NaN, and must be a finite number."],
  [{ ...good, title: 7 }, "title: it is 7, and must be a text."],
  [{ ...good, title: Symbol("a") }, "title: it is a symbol, and must be a text."],
  [{ ...good, formats: { docx: {} } }, 'formats: there is no field "docx". Allowed: pdf, xlsx, csv, json, ndjson.'],
  [{ ...good, formats: ["pdf"] }, "formats: it is a list, and must be an object."],
  [{ ...good, formats: { pdf: { maxRow: 1 } } }, 'formats.pdf: there is no field "maxRow". Did you mean maxRows?'],
  [{ ...good, defaultSort: ["a"] }, 'defaultSort[0]: it is the text "a", and must be an object.'],
  [{ ...good, where: [{ column: "a", in: "x" }] }, 'where[0].in: it is the text "x", and must be a list.'],
  [{ ...good, where: [{ column: "a", isNul: true }] }, 'where[0]: there is no field "isNul". Did you mean isNull?'],
  [{ ...good, texts: { de: { colums: {} } } }, 'texts.de: there is no field "colums". Did you mean columns?'],
  [{ ...good, summary: [] }, "summary: it is a list, and must be an object."],
  [
    withColumn({ kind: "txet" }),
    'columns[0].kind: there is no value "txet". Did you mean text? Allowed: text, integer,',
  ],
  [withColumn({ kind: undefined }), "columns[0].kind: this field is missing. Allowed: text, integer,"],
  [withColumn({ kind: 7 }), "columns[0].kind: it is 7. Allowed: text, integer,"],
  [withColumn({ expires: false }), "columns[0].expires: it is false, and must be true or left out."],
  [
    withColumn({ tones: { A: "red" } }),
    'columns[0].tones.A: there is no value "red". Allowed: good, warn, bad, muted.',
  ],
  [withColumn({ titles: { A: 1 } }), "columns[0].titles.A: it is 1, and must be a text."],
  [withColumn({ widht: 1 }), 'columns[0]: there is no field "widht". Did you mean width? Allowed: key, title, kind,'],
  [withFilter({ operator: "is" }), 'filters[0].operator: there is no value "is". Did you mean in? Allowed: in, notIn,'],
  [withFilter({ columns: "a" }), 'filters[0].columns: it is the text "a", and must be a list.'],
  [withFilter({ default: {} }), `filters[0].default: it is an object, and ${numberOrText}, or a list.`],
  [withFilter({ default: [null] }), `filters[0].default[0]: it is null, and ${numberOrText}.`],
  [withFilter({ form: { rule: "x" } }), "filters[0].form.normalise: this field is missing. It must be a function."],
  [withChart({ categories: { column: "a" } }), "summary.charts[0].categories.top: this field is missing."],
  [withChart({ categories: "a" }), 'summary.charts[0].categories: it is the text "a", and must be an object.'],
  [
    withChart({ categories: { parts: [{ label: "x", where: { column: "a", isNul: true } }] } }),
    'summary.charts[0].categories.parts[0].where: there is no field "isNul". Did you mean isNull?',
  ],
  [withChart({ measure: { kind: "sum" } }), "summary.charts[0].measure.column: this field is missing."],
  [withChart({ measure: "count" }), 'summary.charts[0].measure: it is the text "count", and must be an object.'],
  [
    withFigure({ aggregate: { kind: "median", column: "a" } }),
    'summary.figures[0].aggregate.kind: there is no value "median". Allowed: count, sum, avg,',
  ],
  [
    withAttention({ sort: [{ key: "a", descending: "no" }] }),
    'summary.attention.sort[0].descending: it is the text "no", and must be true or false.',
  ],
  [{ ...good, rows: undefined }, "rows: this field is missing. It must be an object."],
  [{ ...good, rows: () => [] }, "rows: it is a function, and must be an object."],
  [{ ...good, rows: { kind: "sql" } }, 'rows.kind: there is no value "sql". Allowed: relation, view, objects.'],
  [{ ...good, rows: {} }, "rows.kind: this field is missing. Allowed: relation, view, objects."],
  [{ ...good, rows: { kind: "objects" } }, "rows.rows: this field is missing. It must be a function."],
  [withView({ columns: { a: "a" } }), 'rows.columns.a: it is the text "a", and must be an object.'],
  [
    withView({ columns: { a: { column: "a", type: "txt" } } }),
    'rows.columns.a.type: there is no value "txt". Did you mean text? Allowed: text, text[],',
  ],
  [withView({ veiw: "v" }), 'rows: there is no field "veiw". Did you mean view? Allowed: kind, source, view,'],
];

test.each(wrong)(
  "the problem of a wrong definition (case %$) has place, value and allowed values",
  (given, sentence) => {
    const { problems } = checkDefinitionShape(given);
    expect(problems[0]).toContain(sentence);
    expect(problems[0]!.startsWith(sentence.slice(0, 20))).toBe(true);
    for (const problem of problems) {
      expect(problem).toMatch(/^[\w.[\]]+( definition)?: .+\.$/);
      expect(problem).not.toMatch(/zod|never|undefined|invalid input|expected|unrecognized|Allowed: \./i);
      expect(problem.length).toBeLessThan(400);
    }
  },
);

test("a problem of a definition quotes the first 60 characters of a long value", () => {
  const { problems } = checkDefinitionShape({ ...good, columns: `${"x".repeat(1_000)}\n` });
  expect(problems).toEqual([`columns: it is the text "${"x".repeat(60)}…", and must be a list.`]);
});
