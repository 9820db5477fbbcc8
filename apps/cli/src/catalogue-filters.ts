import type { ReportType } from "@reports/client";

/** A filter as the catalogue describes it. */
export interface CatalogueFilter {
  readonly name: string;
  readonly description: string;
  /** All that it takes, where that is a choice. */
  readonly values: readonly string[];
}

/** The filters of a report type, read out of their JSON Schema. What is not understood of it is passed over. */
export function filtersOf({ searchParam }: Pick<ReportType, "searchParam">): readonly CatalogueFilter[] {
  return Object.entries(objectOr(searchParam["properties"])).map(([name, schema]) => {
    const { description } = objectOr(schema);
    return { name, description: typeof description === "string" ? description : "", values: [...choicesIn(schema)] };
  });
}

/** Values of a choice, wherever it stands: by itself, as the items of a list, or in one of several schemas. */
function choicesIn(schema: unknown): ReadonlySet<string> {
  const { enum: values, const: value, type, items, anyOf, oneOf } = objectOr(schema);
  const nested = [items, anyOf, oneOf].flat().filter((one) => one !== undefined);
  return new Set([
    ...[values, value].flat().filter((one) => typeof one === "string"),
    ...(type === "boolean" ? ["true", "false"] : []),
    ...nested.flatMap((one) => [...choicesIn(one)]),
  ]);
}

function objectOr(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
