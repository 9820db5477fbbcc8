import { choiceField, compressions, maxSortKeys, maxTitleLength, reportFormats, sortableKeys } from "@reports/core";
import type { ReportCatalogue, ReportFormat, ReportTypeDefinition } from "@reports/core";
import { z } from "zod";
import { searchParamSchema } from "../resource/filter-schema.ts";
import { sortKeySchema } from "../resource/list-query.ts";

type Keys = readonly [string, ...string[]];

const searchParamText = z
  .string()
  .max(4096)
  .meta({ description: "A text to search for, or the filters as JSON text; an empty one filters nothing." });
const text = z.string().min(1).max(255);
const descriptions = {
  format: "Format of the file; pdf where the type has it.",
  csvBom: "Whether csv begins with a byte order mark; true by default.",
  compression: "Compression of csv, json and ndjson; none by default.",
  columns: "Keys of the columns to show, in their order; all by default.",
  sort: "Keys of columns to sort by, - in front for descending.",
  groupBy:
    "Key of the column by which rows are grouped: a pdf shows each group under a heading; in the other formats the rows are sorted by it first, and a warning says so.",
  timezone: "IANA time zone of the times in the file; UTC by default.",
  locale: "Language tag (BCP 47); en by default.",
  title: "Title of the report.",
};

/** What a start by query takes, for the documentation: of every type together, because a query's parameters cannot depend on one another. */
export function startQuerySchema(catalogue: ReportCatalogue) {
  const types = catalogue.list();
  const union = (keysOf: (definition: ReportTypeDefinition) => readonly string[]): Keys =>
    [...new Set(types.flatMap(keysOf))] as unknown as Keys;
  const columns = z.enum(union(columnKeys)).meta({ id: "ReportColumnKey", description: "Key of a column." });
  const sort = sortKeySchema(union(sortableKeys)).meta({
    id: "ReportSortKey",
    description: "Key of a column; - in front for descending.",
  });
  const groups = z.enum(union(({ groupable }) => groupable)).meta({
    id: "ReportGroupKey",
    description: "Key of a column by which rows can be grouped.",
  });
  const fields = {
    searchParam: z.string().meta({
      description:
        "Filters: JSON (POST /v1/reports has its schema for each type), bracketed keys (searchParam[health]=DOWN) or a text to search for; an empty one filters nothing.",
    }),
    format: choiceField(reportFormats).meta({ description: descriptions.format }),
    csvBom: z.enum(["true", "false"]).meta({ description: descriptions.csvBom }),
    compression: choiceField(compressions).meta({ description: descriptions.compression }),
    columns: z.array(columns).min(1).meta({ description: descriptions.columns, uniqueItems: true, explode: false }),
    sort: z
      .array(sort)
      .min(1)
      .max(maxSortKeys)
      .meta({ description: descriptions.sort, uniqueItems: true, explode: false }),
    groupBy: groups.meta({ description: descriptions.groupBy }),
    timezone: text.meta({ description: descriptions.timezone }),
    locale: text.meta({ description: descriptions.locale }),
    title: text.max(maxTitleLength).meta({ description: descriptions.title }),
  };
  return z.object({ reportType: reportTypeSchema(catalogue), ...z.object(fields).partial().shape });
}

/** The body of a start, for the documentation: `reportType` decides which filters, columns and formats there are. */
export function startBodySchema(catalogue: ReportCatalogue): z.ZodType {
  const types = catalogue.list();
  const [first, ...others] = types.map(startOfType);
  const mapping = Object.fromEntries(
    types.map((definition) => [definition.type, `#/components/schemas/${nameOf(definition)}ReportStart`]),
  );
  return z.discriminatedUnion("reportType", [first!, ...others]).meta({
    id: "ReportStart",
    description: "A report to start. Options that are null are the same as left out.",
    discriminator: { propertyName: "reportType", mapping },
  });
}

/** One of the types that there are, for the documentation. */
export function reportTypeSchema(catalogue: ReportCatalogue): z.ZodType<string> {
  const types = catalogue.list().map(({ type }) => type) as unknown as Keys;
  return z.enum(types).meta({ description: "The type of the report." });
}

function startOfType(definition: ReportTypeDefinition) {
  const name = nameOf(definition);
  const filters = searchParamSchema(definition.filters).meta({
    id: `${name}SearchParam`,
    description: `Filters of ${definition.type}: different ones must all hold, of several values of one any.`,
  });
  const keys = columnKeys(definition);
  const column = z
    .enum(keys)
    .meta({ id: `${name}ReportColumn`, description: `Key of a column of ${definition.type}.` });
  const sort = sortKeySchema(sortableKeys(definition)).meta({
    id: `${name}ReportSort`,
    description: `Key of a column of ${definition.type}; - in front for descending.`,
  });
  const options = {
    searchParam: z
      .union([filters, searchParamText])
      .meta({ description: "What the report shows; everything by default." }),
    format: formatsOf(definition).meta({ description: descriptions.format }),
    csvBom: z.boolean().meta({ description: descriptions.csvBom }),
    compression: choiceField(compressions).meta({ description: descriptions.compression }),
    columns: z.array(column).min(1).max(keys.length).meta({ description: descriptions.columns, uniqueItems: true }),
    sort: z.array(sort).min(1).max(maxSortKeys).meta({ description: descriptions.sort, uniqueItems: true }),
    ...(definition.groupable.length === 0
      ? {}
      : { groupBy: z.enum(definition.groupable as Keys).meta({ description: descriptions.groupBy }) }),
    timezone: text.meta({ description: descriptions.timezone }),
    locale: text.meta({ description: descriptions.locale }),
    title: text.max(maxTitleLength).meta({ description: descriptions.title }),
  };
  return z
    .strictObject({
      reportType: z.enum([definition.type]).meta({ description: "The type of the report." }),
      ...Object.fromEntries(Object.entries(options).map(([option, schema]) => [option, schema.nullish()])),
    })
    .meta({ id: `${name}ReportStart`, description: `${definition.title}. ${definition.description}` });
}

function formatsOf({ formats }: ReportTypeDefinition): z.ZodType {
  const own = Object.keys(formats) as [ReportFormat, ...ReportFormat[]];
  return own.length === reportFormats.length ? choiceField(reportFormats) : z.enum(own);
}

function columnKeys({ columns }: ReportTypeDefinition): Keys {
  return columns.map(({ key }) => key) as unknown as Keys;
}

/** `PROXY_DOMAIN` → `ProxyDomain`. */
function nameOf({ type }: ReportTypeDefinition): string {
  return type
    .split("_")
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join("");
}
