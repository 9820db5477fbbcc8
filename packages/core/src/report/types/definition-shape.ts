import { z } from "zod";
import { filterOperators, filterValueKinds } from "../../query/filters.ts";
import { columnAlignments, columnKinds, columnTones } from "./column.ts";
import { describeShapeIssue } from "./describe-shape-issue.ts";
import { reportFormats } from "./format.ts";
import { viewColumnTypes } from "./row-source.ts";
import { columnAggregateKinds } from "./summary.ts";

const stringListSchema = z.array(z.string());
const functionSchema = z.custom((value) => typeof value === "function", "must be a function");
const toneSchema = z.enum(columnTones);
const anyToneSchema = z.enum([...toneSchema.options, "neutral"]);

const conditionSchema = z.strictObject({
  column: z.string(),
  in: stringListSchema.optional(),
  atLeast: z.number().optional(),
  below: z.number().optional(),
  isNull: z.boolean().optional(),
});

const aggregateSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("count"), where: conditionSchema.optional() }),
  z.strictObject({ kind: z.enum(columnAggregateKinds), column: z.string(), where: conditionSchema.optional() }),
  z.strictObject({ kind: z.literal("weighted-mean"), column: z.string(), weight: z.string() }),
]);

const displayShape = { unit: z.string().optional(), digits: z.number().optional() };

const chartPartSchema = z.strictObject({ label: z.string(), where: conditionSchema, tone: anyToneSchema.optional() });
const sortKeySchema = z.strictObject({ key: z.string(), descending: z.boolean().optional() });

const summarySchema = z.strictObject({
  figures: z
    .array(
      z.strictObject({
        key: z.string(),
        title: z.string(),
        kind: z.enum(columnKinds),
        aggregate: aggregateSchema,
        tone: anyToneSchema.optional(),
        ...displayShape,
        currency: z.string().optional(),
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
          z.strictObject({ parts: z.array(chartPartSchema) }),
        ]),
        series: z.array(chartPartSchema).optional(),
        measure: aggregateSchema,
      }),
    )
    .optional(),
  attention: z
    .strictObject({
      title: z.string(),
      where: conditionSchema,
      columns: stringListSchema,
      pdfColumns: stringListSchema.optional(),
      sort: z.array(sortKeySchema),
      limit: z.number(),
    })
    .optional(),
  subtotals: stringListSchema.optional(),
});

const filterValueSchema = z.union([z.string(), z.number(), z.boolean()]);

const filterSchema = z.strictObject({
  name: z.string(),
  formerly: stringListSchema.optional(),
  operator: z.enum(filterOperators),
  value: z.enum(filterValueKinds),
  columns: stringListSchema,
  values: stringListSchema.optional(),
  valuesFrom: z.strictObject({ view: z.string(), column: z.string(), title: z.string().optional() }).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  plainText: z.literal(true).optional(),
  form: z.looseObject({ normalise: functionSchema, rule: z.string() }).optional(),
  required: z.literal(true).optional(),
  default: z.union([filterValueSchema, z.array(filterValueSchema)]).optional(),
  description: z.string(),
});

const rowsSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("relation"), relation: z.string() }),
  z.strictObject({
    kind: z.literal("view"),
    source: z.string().optional(),
    view: z.string(),
    id: z.string(),
    parameters: z
      .array(
        filterSchema
          .omit({ operator: true, columns: true, required: true })
          .extend({ type: z.enum(viewColumnTypes).optional() }),
      )
      .optional(),
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
  z.strictObject({ kind: z.literal("objects"), rows: functionSchema, count: functionSchema.optional() }),
]);

const wordsSchema = z.record(z.string(), z.string()).optional();
const textsSchema = z.strictObject({
  title: z.string().optional(),
  description: z.string().optional(),
  columns: wordsSchema,
  titles: z.record(z.string(), wordsSchema.unwrap()).optional(),
  meanings: z.record(z.string(), wordsSchema.unwrap()).optional(),
  filters: wordsSchema,
  figures: wordsSchema,
  charts: wordsSchema,
  labels: wordsSchema,
  attention: z.string().optional(),
});

/** Schema of a definition, for authors who don't use TypeScript. Refuses unknown fields, because a misspelt condition would match every row. */
const definitionSchema = z.strictObject({
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
      daysUntil: z.literal("expiry").optional(),
      titles: z.record(z.string(), z.string()).optional(),
      meanings: z.record(z.string(), z.string()).optional(),
      tones: z.record(z.string(), toneSchema).optional(),
      tonesByNumber: z
        .array(z.strictObject({ atLeast: z.number().optional(), below: z.number().optional(), tone: toneSchema }))
        .optional(),
      keepsEnd: z.literal(true).optional(),
      link: z.strictObject({ column: z.string() }).optional(),
      sinceVersion: z.number().optional(),
      formerly: stringListSchema.optional(),
      expires: z.literal(true).optional(),
      ...displayShape,
      currency: z.union([z.string(), z.strictObject({ column: z.string() })]).optional(),
      align: z.enum(columnAlignments).optional(),
    }),
  ),
  filters: z.array(filterSchema).optional(),
  prominentFilters: stringListSchema.optional(),
  where: z.array(conditionSchema).optional(),
  pdfColumns: stringListSchema.optional(),
  defaultSort: z.array(sortKeySchema).optional(),
  groupable: stringListSchema.optional(),
  formats: z.partialRecord(z.enum(reportFormats), z.strictObject({ maxRows: z.number().optional() })).optional(),
  summary: summarySchema.optional(),
  rows: rowsSchema,
  texts: z.record(z.string(), textsSchema).optional(),
});

export interface DefinitionShapeCheck {
  readonly problems: readonly string[];
  readonly isReadable: boolean;
}

export function checkDefinitionShape(value: unknown): DefinitionShapeCheck {
  const issues = definitionSchema.safeParse(value).error?.issues ?? [];
  return {
    problems: issues.flatMap((issue) => describeShapeIssue(definitionSchema, value, issue)),
    isReadable: issues.every(({ code }) => code === "unrecognized_keys"),
  };
}
