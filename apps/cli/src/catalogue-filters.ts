import type { ReportType } from "@reports/client";

export interface CatalogueFilter {
  readonly name: string;
  readonly description: string;
  /** All values of a filter with a fixed set of values. Empty for other filters. */
  readonly values: readonly string[];
  /** Whether the values are times or days. */
  readonly isTime: boolean;
  readonly isDay: boolean;
  readonly isRequired: boolean;
  /** The values of a start without the filter. */
  readonly defaults: readonly string[];
}

/** Reads the filters of a report type from their JSON Schema. Ignores unknown parts of the schema. */
export function readFilters({ searchParam }: Pick<ReportType, "searchParam">): readonly CatalogueFilter[] {
  const required = [searchParam["required"]].flat();
  return Object.entries(asObject(searchParam["properties"])).map(([name, schema]) => {
    const { description, default: defaults = [] } = asObject(schema);
    const formats = asForms(schema).map(({ format }) => format);
    return {
      name,
      description: typeof description === "string" ? description : "",
      values: [...findChoices(schema)],
      isTime: formats.includes("date-time") || formats.includes("date"),
      isDay: formats.includes("date"),
      isRequired: required.includes(name),
      defaults: [defaults].flat().map(String),
    };
  });
}

/** Finds the fixed values in a schema: in the schema itself, in the items of a list, or in alternative schemas. */
function findChoices(schema: unknown): ReadonlySet<string> {
  const { enum: values, const: value, type, items, anyOf, oneOf } = asObject(schema);
  const nested = [items, anyOf, oneOf].flat().filter((one) => one !== undefined);
  return new Set([
    ...[values, value].flat().filter((one) => typeof one === "string"),
    ...(type === "boolean" ? ["true", "false"] : []),
    ...nested.flatMap((one) => [...findChoices(one)]),
  ]);
}

/** Returns a schema and its alternatives, also those within alternatives. */
function asForms(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { anyOf } = asObject(schema);
  return [asObject(schema), ...(Array.isArray(anyOf) ? anyOf.flatMap(asForms) : [])];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
