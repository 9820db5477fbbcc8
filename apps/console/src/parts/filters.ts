import type { ReportType } from "@reports/client";
import { deriveFieldLabel, toSentenceCase } from "./text.ts";

export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly kind: "text" | "number" | "time" | "flag" | "choice";
  readonly days: boolean;
  /** Whether the filter accepts several values. A record then matches if it has any of them. */
  readonly isList: boolean;
  readonly values: readonly string[];
  readonly titles: Readonly<Record<string, string>>;
  readonly meanings: Readonly<Record<string, string>>;
  readonly isRequired: boolean;
  readonly defaults: readonly string[];
}

/** A range of times in a form. It combines the two filters of the API for its beginning and its end. */
export interface TimeRangeFilter {
  readonly kind: "range";
  /** The common part of the names of the two filters: `certNotAfter` of `certNotAfterFrom` and `certNotAfterTo`. */
  readonly name: string;
  readonly label: string;
  readonly from: string;
  readonly to: string;
  /** Whether the times are ends, such as those of certificates. The form then proposes ranges in the future, otherwise ranges in the past. */
  readonly expires: boolean;
  readonly days: boolean;
  readonly isRequired: boolean;
}

interface FilterSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: FilterSchema;
  readonly anyOf?: readonly FilterSchema[];
  readonly properties?: Readonly<Record<string, FilterSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

export function deriveFilters({
  searchParam,
  columns,
}: Pick<ReportType, "searchParam" | "columns">): readonly Filter[] {
  const { properties = {}, required = [] } = searchParam as FilterSchema;
  return Object.entries(properties).map(([name, schema]) => {
    const forms = (schema.anyOf ?? [schema]).flatMap((form) => form.anyOf ?? [form]);
    const one = forms.find(({ type }) => type !== "array") ?? forms[0]?.items ?? {};
    const values = one.enum ?? [];
    const titled = columns.find(
      ({ titles }) => values.length > 0 && values.every((value) => Object.hasOwn(titles, value)),
    );
    return {
      name,
      label: filterLabel(name, columns),
      hint: (schema.description ?? "").replaceAll("`", ""),
      kind: filterKind(one, forms),
      days: forms.some(({ format }) => format === "date"),
      isList: forms.some(({ type }) => type === "array"),
      values,
      titles: titled?.titles ?? {},
      meanings: titled?.meanings ?? {},
      isRequired: required.includes(name),
      defaults: [schema.default ?? []].flat().map(String),
    };
  });
}

export function deriveFilterFields(
  type: Pick<ReportType, "searchParam" | "columns">,
): readonly (Filter | TimeRangeFilter)[] {
  const filters = deriveFilters(type);
  const names = new Set(filters.filter(({ kind }) => kind === "time").map(({ name }) => name));
  return filters.flatMap((filter): readonly (Filter | TimeRangeFilter)[] => {
    const [, name = "", end] = rangePattern.exec(filter.name) ?? [];
    if (!names.has(`${name}From`) || !names.has(`${name}To`)) return [filter];
    if (end === "To") return [];
    const expires = findColumn(name, type.columns)?.expires ?? false;
    const [from, to] = [`${name}From`, `${name}To`];
    const isRequired = filters.some((each) => each.isRequired && (each.name === from || each.name === to));
    const { days } = filter;
    return [{ kind: "range", name, label: rangeLabel(name, type.columns), from, to, expires, days, isRequired }];
  });
}

export function listFilterNames(field: Filter | TimeRangeFilter): readonly string[] {
  return field.kind === "range" ? [field.from, field.to] : [field.name];
}

const rangePattern = /^(.+)(From|To)$/;

function filterLabel(name: string, columns: ReportType["columns"]): string {
  const [, base = name, end] = rangePattern.exec(name) ?? [];
  const title = rangeLabel(base, columns);
  return end === undefined ? title : `${title}, ${end === "From" ? "from" : "before"}`;
}

function rangeLabel(base: string, columns: ReportType["columns"]): string {
  return findColumn(base, columns)?.title ?? deriveFieldLabel(base);
}

function findColumn(base: string, columns: ReportType["columns"]): ReportType["columns"][number] | undefined {
  return columns.find(({ key }) => key === base || key === `${base}s`);
}

export function formatFilterValue(filter: Filter | undefined, value: string): string {
  if (filter?.kind === "flag") return value === "true" ? "Yes" : value === "false" ? "No" : value;
  return filter?.titles[value] ?? (filter?.kind === "choice" ? toSentenceCase(value) : value);
}

function filterKind(one: FilterSchema, forms: readonly FilterSchema[]): Filter["kind"] {
  if (forms.some(({ format }) => format?.startsWith("date"))) return "time";
  if (one.enum !== undefined) return "choice";
  if (one.type === "boolean") return "flag";
  return one.type === "integer" || one.type === "number" ? "number" : "text";
}
