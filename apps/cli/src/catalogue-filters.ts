import type { ReportType } from "@reports/client";

export interface CatalogueFilter {
  readonly name: string;
  readonly description: string;
  /** All values of a filter with a fixed set of values. Empty for other filters. */
  readonly values: readonly string[];
  readonly isTime: boolean;
  readonly isDay: boolean;
  readonly isRequired: boolean;
  /** The values that a start without this filter uses. */
  readonly defaults: readonly string[];
}

/** Reads the filters of a report type from the JSON Schema of its `searchParam`. Ignores parts of the schema that this version does not know. */
export function readCatalogueFilters({ searchParam }: Pick<ReportType, "searchParam">): readonly CatalogueFilter[] {
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

function findChoices(schema: unknown): ReadonlySet<string> {
  const { enum: values, const: value, type, items, anyOf, oneOf } = asObject(schema);
  const nested = [items, anyOf, oneOf].flat().filter((one) => one !== undefined);
  return new Set([
    ...[values, value].flat().filter((one) => typeof one === "string"),
    ...(type === "boolean" ? ["true", "false"] : []),
    ...nested.flatMap((one) => [...findChoices(one)]),
  ]);
}

/** Returns the schema itself and all schemas in its `anyOf`, at any depth. */
function asForms(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { anyOf } = asObject(schema);
  return [asObject(schema), ...(Array.isArray(anyOf) ? anyOf.flatMap(asForms) : [])];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
