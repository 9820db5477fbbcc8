import {
  optionChoicesOf,
  optionChoicesOfAll,
  renditionOptionNames,
  startOptionDeclarations,
  toSchemaNamePrefix,
  type OptionChoices,
  type ReportCatalogue,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { maxValuesPerFilter } from "@reports/core/query";
import { z } from "zod";
import { searchParamSchemaWithFormerNames } from "../resource/filter-schema.ts";

type SchemaFields = Readonly<Record<string, z.ZodType>>;

const searchParamText = z
  .string()
  .max(4096)
  .meta({ description: "A text to search for, or the filters as JSON text; an empty one filters nothing." });

const filterValuesSchema = z
  .array(z.union([z.string(), z.number(), z.boolean()]))
  .min(1)
  .max(maxValuesPerFilter)
  .meta({ id: "GivenFilterValues", description: "Any of several values may match." });
const filterValueSchema = z.union([z.string(), z.number(), z.boolean(), filterValuesSchema]).meta({
  id: "GivenFilterValue",
  description: "Values of a filter. GET /v1/report-types/{reportType} describes them for each type.",
});

export const searchParamQuerySchema = z.string().meta({
  description:
    "Filters: JSON (POST /v1/reports has its schema for each type), bracketed keys (searchParam[health]=DOWN) or a text to search for; an empty one filters nothing.",
});

/** Returns the documented query schema of a start. It covers all report types, because OpenAPI parameters cannot depend on one another. */
export function startQuerySchema(catalogue: ReportCatalogue) {
  const fields = {
    searchParam: searchParamQuerySchema,
    ...optionFields(optionChoicesOfAll(catalogue.list()), "text"),
  };
  return z.object({ reportType: reportTypeNameSchema(catalogue), ...z.object(fields).partial().shape });
}

export function startBodySchema(catalogue: ReportCatalogue): z.ZodType {
  const types = catalogue.list();
  const [first, ...others] = types.map(startBodyOfType);
  const mapping = Object.fromEntries(
    types.map((definition) => [definition.type, `#/components/schemas/${toSchemaNamePrefix(definition)}ReportStart`]),
  );
  return z.discriminatedUnion("reportType", [first!, ...others]).meta({
    id: "ReportStart",
    description: "A report to start. Options that are null are the same as left out.",
    discriminator: { propertyName: "reportType", mapping },
  });
}

export function reportTypeNameSchema(catalogue: ReportCatalogue): z.ZodType<string> {
  const types = catalogue.list().map(({ type }) => type) as unknown as readonly [string, ...string[]];
  return z.enum(types).meta({ description: "The type of the report." });
}

/** Returns the documented body schema of an additional format. It covers all report types, because the body does not name the type. */
export function createRenditionBodySchema(catalogue: ReportCatalogue): z.ZodType {
  const { format, ...options } = Object.fromEntries(
    Object.entries(optionsOfAll(catalogue)).filter(([name]) => renditionOptionNames.some((option) => option === name)),
  );
  return z.strictObject({ format: format!, ...makeNullish(options) }).meta({
    id: "ReportFileStart",
    description:
      "An additional file. Omitted options have the values of the report, except that the file is not compressed.",
  });
}

/** Returns the documented schema of a schedule's `options`. It covers all report types, because `options` does not name the type. */
export function createScheduleOptionsSchema(catalogue: ReportCatalogue): z.ZodObject {
  return z.strictObject(makeNullish(optionsOfAll(catalogue)));
}

/** Returns the schemas of a schedule's `searchParam`. They cover all report types, so a value may have any form. In the patch, null removes a filter. */
export function createScheduleFilterSchemas(catalogue: ReportCatalogue): {
  readonly whole: z.ZodType;
  readonly patch: z.ZodType;
} {
  const names = catalogue
    .list()
    .flatMap(({ filters }) => filters.flatMap(({ name, formerly = [] }) => [name, ...formerly]));
  const named = (id: string, value: z.ZodType, description: string): z.ZodType =>
    z.strictObject(Object.fromEntries(names.map((name) => [name, value.optional()]))).meta({ id, description });
  const whole = named("ReportFilters", filterValueSchema, "Filters of any report type by their names.");
  const patch = named("ReportFiltersPatch", filterValueSchema.nullable(), "Changes of filters; null takes one away.");
  return { whole: z.union([whole, searchParamText]), patch: z.union([patch, searchParamText]) };
}

function startBodyOfType(definition: ReportTypeDefinition) {
  const name = toSchemaNamePrefix(definition);
  const filters = searchParamSchemaWithFormerNames(definition.filters).meta({
    id: `${name}SearchParam`,
    description: `Filters of ${definition.type}: all of them must match; of several values of one filter, any may match.`,
  });
  const searchParam = z
    .union([filters, searchParamText])
    .meta({ description: "Filters of the rows; without them, all rows." });
  const needsFilters = definition.filters.some(({ required }) => required === true);
  return z
    .strictObject({
      reportType: z.enum([definition.type]).meta({ description: "The type of the report." }),
      searchParam: needsFilters ? searchParam : searchParam.nullish(),
      ...makeNullish(optionFields(optionChoicesOf(definition), "json")),
    })
    .meta({ id: `${name}ReportStart`, description: `${definition.title}. ${definition.description}` });
}

function optionsOfAll(catalogue: ReportCatalogue): SchemaFields {
  return optionFields(optionChoicesOfAll(catalogue.list()), "json");
}

function makeNullish(fields: SchemaFields): SchemaFields {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, schema.nullish()]));
}

function optionFields(choices: OptionChoices, spelling: "json" | "text"): SchemaFields {
  const fields = Object.entries(startOptionDeclarations).map(([name, option]): [string, z.ZodType] => [
    name,
    option.given(choices)[spelling],
  ]);
  return Object.fromEntries(fields.filter(([, field]) => !(field instanceof z.ZodNever)));
}
