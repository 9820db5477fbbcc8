import { filterValueKinds, type Filter, type FilterOperator, type FilterValueKind } from "../../query/filters.ts";
import { decimalPattern } from "../../query/decimal.ts";
import { defaultMaxFilterTextLength } from "../../query/filter-value-handlers.ts";
import { parseFilters } from "../../query/parse-filters.ts";
import type { ColumnKind } from "./column.ts";
import {
  findUnknownColumnProblems,
  findIntegerProblems,
  findNameProblems,
  findTextProblems,
  quoteValue,
} from "./definition-rules.ts";
import { findSqlNameProblems } from "./row-source-problems.ts";
import type { ReportRows, ViewColumnType, ViewRows } from "./row-source.ts";
import { findParameterFilterProblems, sqlTypesByValueKind } from "./view-parameter.ts";

const valueKindsByOperator = {
  in: filterValueKinds,
  notIn: filterValueKinds,
  contains: ["text"],
  suffix: ["text", "hostname"],
  serves: ["hostname"],
  has: ["text", "enum"],
  from: ["timestamp", "date", "time", "integer", "decimal"],
  to: ["timestamp", "date", "time", "integer", "decimal"],
  empty: ["boolean"],
  parameter: filterValueKinds,
} as const satisfies Readonly<Record<FilterOperator, readonly FilterValueKind[]>>;

/** The column kinds of object rows that each kind of filter value can be compared with. A kind that is missing here is not checked. */
const objectColumnKinds: Readonly<Partial<Record<FilterValueKind, readonly ColumnKind[]>>> = {
  date: ["date"],
  time: ["time"],
  decimal: ["decimal", "ratio", "integer", "bigint", "bytes", "duration"],
};

const maxEnumValues = 1_000;
const maxTextLength = 4_096;

export function findFilterProblems(
  filter: Filter,
  rows: ReportRows,
  columns: ReadonlyMap<string, ColumnKind>,
): string[] {
  const on = `filter ${quoteValue(filter.name)}`;
  const problems = [
    ...findNameProblems("filter", filter.name),
    ...findTextProblems(`${on}: its description`, filter.description, 500),
    ...problemsOfValue(on, filter),
    ...problemsOfValuesFrom(on, filter, rows),
  ];
  const allowed: readonly FilterValueKind[] = valueKindsByOperator[filter.operator];
  if (!allowed.includes(filter.value))
    problems.push(`${on}: ${filter.operator} takes values of ${allowed.join(", ")}, and not of ${filter.value}.`);
  problems.push(...findParameterFilterProblems(on, filter, rows));
  if (filter.columns.length === 0 && rows.kind !== "objects" && filter.operator !== "parameter")
    problems.push(`${on}: it names no column to look at.`);
  if (filter.operator === "empty" && filter.columns.length > 1)
    problems.push(`${on}: empty looks at one column, and it names ${filter.columns.length}.`);
  if (rows.kind !== "relation")
    problems.push(...filter.columns.flatMap((key) => findUnknownColumnProblems(on, key, columns)));
  if (rows.kind === "view")
    problems.push(...filter.columns.flatMap((key) => problemsOfColumnType(on, filter, key, rows)));
  if (rows.kind === "objects")
    problems.push(...filter.columns.flatMap((key) => problemsOfColumnKind(on, filter, key, columns.get(key))));
  return problems;
}

/** Relative defaults are resolved at a fixed moment, so that the same definition is valid on every day or on none. */
const momentOfDefaults = { now: new Date("2026-01-01T00:00:00Z"), timezone: "UTC", isOneOfMany: true } as const;

export function findFilterDefaultProblems(filters: readonly Filter[]): string[] {
  const withDefault = filters.filter((filter) => filter.default !== undefined);
  const result = parseFilters(withDefault, new Map(), (parameter) => ({ parameter }), momentOfDefaults);
  return [
    ...withDefault.flatMap(({ name, required }) =>
      required === undefined
        ? []
        : `filter ${quoteValue(name)}: it has both required and default. A filter with a default always has a value, so leave one of them out.`,
    ),
    ...(result.ok ? [] : result.issues.map(({ message }) => `filters: default: ${message}`)),
  ];
}

function problemsOfColumnType(on: string, { operator, value }: Filter, key: string, { columns }: ViewRows): string[] {
  const type = Object.hasOwn(columns, key) ? columns[key]?.type : undefined;
  const types: readonly ViewColumnType[] = sqlTypesByValueKind[value];
  // A filter of numbers can also compare a column of the type interval, by its seconds.
  const ofValue = types.includes("numeric") ? [...types, "interval"] : types;
  const fitting: readonly string[] = operator === "has" ? ["text[]"] : ofValue;
  if (type === undefined || operator === "empty" || fitting.includes(type)) return [];
  return [
    `${on}: ${operator} with values of ${value} needs a column of ${fitting.join(" or ")}, and ${key} is ${type}.`,
  ];
}

function problemsOfColumnKind(on: string, { value }: Filter, key: string, kind: ColumnKind | undefined): string[] {
  const fitting = objectColumnKinds[value];
  if (kind === undefined || fitting === undefined || fitting.includes(kind)) return [];
  return [`${on}: values of ${value} need a column of the kind ${fitting.join(" or ")}, and ${key} is ${kind}.`];
}

function problemsOfValue(
  on: string,
  { value, values, min, max, minLength, maxLength, plainText, form }: Filter,
): string[] {
  const problems: string[] = [];
  if (value === "enum") problems.push(...problemsOfChoices(on, values ?? []));
  else if (values !== undefined) problems.push(`${on}: values are for value "enum", and it takes ${value}.`);
  if (value !== "integer" && value !== "decimal" && (min !== undefined || max !== undefined))
    problems.push(`${on}: min and max are for values "integer" and "decimal", and it takes ${value}.`);
  for (const [name, bound] of Object.entries({ min, max })) {
    if (bound === undefined) continue;
    if (value === "decimal" && !decimalPattern.test(String(bound)))
      problems.push(`${on}: ${name} must be a number without an exponent, such as 0.05, and is ${bound}.`);
    if (value !== "decimal" && !Number.isSafeInteger(bound))
      problems.push(`${on}: ${name} must be an integer within ±2^53, and is ${bound}.`);
  }
  if (min !== undefined && max !== undefined && min > max)
    problems.push(`${on}: min (${min}) must not be above max (${max}).`);
  if (minLength !== undefined)
    problems.push(...findIntegerProblems(`${on}: minLength`, minLength, 1, maxLength ?? defaultMaxFilterTextLength));
  if (maxLength !== undefined) problems.push(...findIntegerProblems(`${on}: maxLength`, maxLength, 1, maxTextLength));
  for (const [name, of] of Object.entries({ plainText, form }))
    if (of !== undefined && value !== "text")
      problems.push(`${on}: ${name} is for value "text", and it takes ${value}.`);
  return problems;
}

function problemsOfChoices(on: string, values: readonly string[]): string[] {
  if (values.length === 0 || values.length > maxEnumValues)
    return [`${on}: an enum has 1 to ${maxEnumValues} values, and this one has ${values.length}.`];
  if (new Set(values).size !== values.length) return [`${on}: a value appears twice in values.`];
  return values.flatMap((value) => findTextProblems(`${on}: each of values`, value, 255)).slice(0, 1);
}

function problemsOfValuesFrom(on: string, { operator, value, valuesFrom }: Filter, rows: ReportRows): string[] {
  if (valuesFrom === undefined) return [];
  if (rows.kind !== "view") return [`${on}: valuesFrom is for types with rows of a view, and these are ${rows.kind}.`];
  const problems: string[] = [];
  if (value !== "text" || (operator !== "in" && operator !== "notIn" && operator !== "has"))
    problems.push(
      `${on}: valuesFrom is for in, notIn and has with value "text", and this is ${operator} with ${value}.`,
    );
  const names = [...valuesFrom.view.split("."), valuesFrom.column, valuesFrom.title ?? valuesFrom.column];
  if (names.length > 4)
    problems.push(`${on}: valuesFrom: the view ${quoteValue(valuesFrom.view)} must be a name or schema.name.`);
  problems.push(...new Set(names.flatMap((name) => findSqlNameProblems(`${on}: valuesFrom`, name))));
  return problems;
}
