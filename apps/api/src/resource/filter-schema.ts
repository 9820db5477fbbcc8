import { choiceField } from "@reports/core/wire";
import {
  describeAllowedFilterValue,
  filterValueHandlers,
  isSingleValueFilter,
  maxValuesPerFilter,
  type Filter,
} from "@reports/core/query";
import { z } from "zod";
import { toPascalCase } from "./collection-with-store.ts";

/** Cache of schemas by name. Equal filters get the same schema, so that OpenAPI contains it once. */
const listSchemaByName = new Map<string, z.ZodType>();

export function filterSchema(filter: Filter): z.ZodType {
  const description = describeFilter(filter);
  return isSingleValueFilter(filter)
    ? valueSchema(filter).meta({ description })
    : listSchema(filter).meta({ description });
}

export function searchParamSchema(filters: readonly Filter[]): z.ZodObject {
  const field = (filter: Filter): z.ZodType =>
    isSingleValueFilter(filter) ? valueSchema(filter) : z.union([namedListSchema(filter), valueSchema(filter)]);
  return z.strictObject(
    Object.fromEntries(filters.map((filter) => [filter.name, describeField(filter, field(filter))])),
  );
}

function describeField(filter: Filter, field: z.ZodType): z.ZodType {
  const description = describeFilter(filter);
  if (filter.required === true) return field.meta({ description });
  return field.meta({ description, ...(filter.default !== undefined && { default: filter.default }) }).optional();
}

export function searchParamSchemaWithFormerNames(filters: readonly Filter[]): z.ZodObject {
  const former = filters.flatMap((filter) =>
    (filter.formerly ?? []).map((name): Filter => {
      const { required: _, default: __, ...rest } = filter;
      return { ...rest, name, description: `Former name of ${filter.name}.` };
    }),
  );
  const deprecated = Object.entries(searchParamSchema(former).shape as Readonly<Record<string, z.ZodType>>).map(
    ([name, field]) => [name, field.meta({ deprecated: true })],
  );
  return z.strictObject({ ...searchParamSchema(filters).shape, ...Object.fromEntries(deprecated) });
}

function describeFilter(filter: Filter): string {
  return `${filter.description} ${isSingleValueFilter(filter) ? "Must be" : "Each must be"} ${describeAllowedFilterValue(filter)}.`;
}

function namedListSchema(filter: Filter): z.ZodType {
  const excludes = filter.operator === "notIn";
  const id = `${excludes ? "Excluded" : ""}${valueSchemaName(filter)}List`;
  const known = listSchemaByName.get(id);
  if (known !== undefined) return known;
  const list = listSchema(filter).meta({
    id,
    description: excludes ? "None of several values may match." : "Any of several values may match.",
  });
  listSchemaByName.set(id, list);
  return list;
}

function valueSchemaName(filter: Filter): string {
  switch (filter.value) {
    case "enum":
      return (
        valueSchema(filter).meta()?.id ??
        filter.values!.map((value) => toPascalCase(value.toLowerCase().replaceAll(/\W|_/g, "-"))).join("Or")
      );
    case "integer":
      return `Integer${nameBound("From", filter.min)}${nameBound("To", filter.max)}`;
    case "text":
      return `${filter.plainText === true ? "" : "Any"}Text${nameBound("From", filter.minLength)}${nameBound("UpTo", filter.maxLength)}`;
    default:
      return toPascalCase(filter.value);
  }
}

function nameBound(word: string, value: number | undefined): string {
  return value === undefined ? "" : `${word}${value < 0 ? "Minus" : ""}${Math.abs(value)}`;
}

function listSchema(filter: Filter): z.ZodType {
  return z.array(valueSchema(filter)).min(1).max(maxValuesPerFilter);
}

function valueSchema(filter: Filter): z.ZodType {
  return filterValueHandlers[filter.value].schema(filter, choiceField);
}
