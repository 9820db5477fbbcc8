import { z } from "zod";
import { columnKinds } from "./column.ts";
import { reportFormats } from "./format.ts";
import { viewColumnTypes } from "./row-source.ts";

const strings = z.array(z.string());
const functionType = z.custom((value) => typeof value === "function", "must be a function");
const tone = z.enum(["good", "warn", "bad", "muted"]);
const anyTone = z.enum([...tone.options, "neutral"]);

const condition = z.strictObject({
  column: z.string(),
  in: strings.optional(),
  atLeast: z.number().optional(),
  below: z.number().optional(),
  isNull: z.boolean().optional(),
});

const aggregate = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("count"), where: condition.optional() }),
  z.strictObject({ kind: z.literal("sum"), column: z.string(), where: condition.optional() }),
  z.strictObject({ kind: z.literal("weighted-mean"), column: z.string(), weight: z.string() }),
]);

const chartPart = z.strictObject({ label: z.string(), where: condition, tone: anyTone.optional() });
const sortKey = z.strictObject({ key: z.string(), descending: z.boolean().optional() });

const summary = z.strictObject({
  figures: z
    .array(
      z.strictObject({
        key: z.string(),
        title: z.string(),
        kind: z.enum(columnKinds),
        aggregate,
        tone: anyTone.optional(),
      }),
    )
    .optional(),
  charts: z
    .array(
      z.strictObject({
        key: z.string(),
        title: z.string(),
        categories: z.union([
          z.strictObject({ column: z.string(), top: z.number() }),
          z.strictObject({ parts: z.array(chartPart) }),
        ]),
        series: z.array(chartPart).optional(),
        measure: aggregate,
      }),
    )
    .optional(),
  attention: z
    .strictObject({
      title: z.string(),
      where: condition,
      columns: strings,
      sort: z.array(sortKey.required()),
      limit: z.number(),
    })
    .optional(),
});

const filter = z.strictObject({
  name: z.string(),
  operator: z.enum(["in", "contains", "suffix", "serves", "has", "from", "to"]),
  value: z.enum(["text", "enum", "integer", "boolean", "timestamp", "uuid", "hostname"]),
  columns: strings,
  values: strings.optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  maxLength: z.number().optional(),
  plainText: z.literal(true).optional(),
  form: z.looseObject({ normalise: functionType, rule: z.string() }).optional(),
  description: z.string(),
});

const rows = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("relation"), relation: z.string() }),
  z.strictObject({
    kind: z.literal("view"),
    source: z.string().optional(),
    view: z.string(),
    id: z.string(),
    columns: z.record(
      z.string(),
      z.strictObject({
        column: z.string(),
        type: z.enum(viewColumnTypes),
        rankedBy: z.string().optional(),
        nullable: z.boolean().optional(),
      }),
    ),
    living: z.strictObject({ column: z.string(), isNull: z.boolean() }).optional(),
  }),
  z.strictObject({ kind: z.literal("objects"), rows: functionType, count: functionType.optional() }),
]);

/** Schema of a definition, for authors who don't use TypeScript. Refuses unknown fields, because a misspelt condition would match every row. */
const definition = z.strictObject({
  type: z.string(),
  version: z.number(),
  title: z.string(),
  description: z.string().optional(),
  columns: z.array(
    z.strictObject({
      key: z.string(),
      title: z.string(),
      kind: z.enum(columnKinds),
      width: z.number().optional(),
      plainDigits: z.literal(true).optional(),
      titles: z.record(z.string(), z.string()).optional(),
      tones: z.record(z.string(), tone).optional(),
      keepsEnd: z.literal(true).optional(),
    }),
  ),
  filters: z.array(filter).optional(),
  where: z.array(condition).optional(),
  pdfColumns: strings.optional(),
  defaultSort: z.array(sortKey).optional(),
  groupable: strings.optional(),
  formats: z.partialRecord(z.enum(reportFormats), z.strictObject({ maxRows: z.number().optional() })).optional(),
  summary: summary.optional(),
  rows,
});

export interface Shape {
  /** Missing, unknown and wrongly typed parts; empty if there are none. */
  readonly problems: readonly string[];
  /** Whether the value has all parts of a definition. It may have unknown parts. */
  readonly isReadable: boolean;
}

export function shapeOf(value: unknown): Shape {
  const issues = definition.safeParse(value).error?.issues ?? [];
  return {
    problems: issues.map(({ path, message }) => `${path.length === 0 ? "the definition" : placeOf(path)}: ${message}.`),
    isReadable: issues.every(({ code }) => code === "unrecognized_keys"),
  };
}

/** Returns a path as text: `columns`, 2, `kind` become `columns[2].kind`. */
function placeOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === "number" ? `[${step}]` : `${at === 0 ? "" : "."}${String(step)}`))
    .join("");
}
