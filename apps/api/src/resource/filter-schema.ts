import { choiceField, describeFilterValue, isSingle, type Filter } from "@reports/core";
import { z } from "zod";

const maxValues = 100;

/** What a filter takes in the query of a list, for the documentation: a list's name is repeated. */
export function filterSchema(filter: Filter): z.ZodType {
  const description = describeFilter(filter);
  return isSingle(filter) ? valueSchema(filter).meta({ description }) : listSchema(filter).meta({ description });
}

/** What filters take in the JSON of searchParam, for the documentation: a list of one may be written as its value. */
export function searchParamSchema(filters: readonly Filter[]): z.ZodObject {
  const field = (filter: Filter): z.ZodType =>
    isSingle(filter) ? valueSchema(filter) : z.union([listSchema(filter), valueSchema(filter)]);
  return z.strictObject(
    Object.fromEntries(
      filters.map((filter) => [
        filter.name,
        field(filter)
          .meta({ description: describeFilter(filter) })
          .optional(),
      ]),
    ),
  );
}

function describeFilter(filter: Filter): string {
  return `${filter.description} ${isSingle(filter) ? "Must be" : "Each must be"} ${describeFilterValue(filter)}.`;
}

function listSchema(filter: Filter): z.ZodType {
  return z.array(valueSchema(filter)).min(1).max(maxValues);
}

function valueSchema(filter: Filter): z.ZodType {
  switch (filter.value) {
    case "enum":
      return choiceField(filter.values! as [string, ...string[]]);
    case "integer":
      return z
        .int()
        .min(filter.min ?? Number.MIN_SAFE_INTEGER)
        .max(filter.max ?? Number.MAX_SAFE_INTEGER);
    case "boolean":
      return z.boolean();
    case "timestamp":
      return z.string().meta({ format: "date-time" });
    case "uuid":
      return z
        .string()
        .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
        .meta({ format: "uuid" });
    case "hostname":
      return z.string().min(1).max(1024).meta({ format: "idn-hostname" });
    case "text":
      return z
        .string()
        .min(1)
        .max(filter.maxLength ?? 255)
        .meta({ pattern: "^[^\\u0000]*$" });
  }
}
