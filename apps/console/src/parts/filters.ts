import type { ReportType } from "@reports/client";
import { labelFromName, sentenceCase } from "./text.ts";

export interface Filter {
  readonly name: string;
  readonly label: string;
  /** The description from the catalogue. */
  readonly hint: string;
  readonly kind: "text" | "number" | "time" | "flag" | "choice";
  /** Whether the times are days. */
  readonly days: boolean;
  /** Whether the filter accepts several values, of which any may match. */
  readonly isList: boolean;
  readonly values: readonly string[];
  /** The titles of the values, as files show them. */
  readonly titles: Readonly<Record<string, string>>;
  /** The meanings of the titles, for those that need one. */
  readonly meanings: Readonly<Record<string, string>>;
  readonly isRequired: boolean;
  readonly defaults: readonly string[];
}

/** Two filters by the beginning and the end of a range of times. People set them together. */
export interface TimeFilter {
  readonly kind: "range";
  /** The common part of the names: `certNotAfter` of `certNotAfterFrom` and `certNotAfterTo`. */
  readonly name: string;
  readonly label: string;
  readonly from: string;
  readonly to: string;
  /** Whether the times are ends, such as those of certificates. */
  readonly expires: boolean;
  /** Whether the times are days. */
  readonly days: boolean;
  readonly isRequired: boolean;
}

/** The parts of JSON Schema that the catalogue uses for filters. */
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

/** Returns the filters of a report type, in the order of the catalogue. */
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

/** Returns the filters as forms show them: the two ends of a range of times are one. */
export function deriveFields(type: Pick<ReportType, "searchParam" | "columns">): readonly (Filter | TimeFilter)[] {
  const filters = deriveFilters(type);
  const names = new Set(filters.filter(({ kind }) => kind === "time").map(({ name }) => name));
  return filters.flatMap((filter): readonly (Filter | TimeFilter)[] => {
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

/** Returns the names of the filters behind a field of a form. */
export function namesOfField(field: Filter | TimeFilter): readonly string[] {
  return field.kind === "range" ? [field.from, field.to] : [field.name];
}

const rangePattern = /^(.+)(From|To)$/;

/** Returns the title of the filter's column, or a label made from its name. A range also has `from` or `before`. */
function filterLabel(name: string, columns: ReportType["columns"]): string {
  const [, base = name, end] = rangePattern.exec(name) ?? [];
  const title = rangeLabel(base, columns);
  return end === undefined ? title : `${title}, ${end === "From" ? "from" : "before"}`;
}

function rangeLabel(base: string, columns: ReportType["columns"]): string {
  return findColumn(base, columns)?.title ?? labelFromName(base);
}

function findColumn(base: string, columns: ReportType["columns"]): ReportType["columns"][number] | undefined {
  return columns.find(({ key }) => key === base || key === `${base}s`);
}

export function filterValueText(filter: Filter | undefined, value: string): string {
  if (filter?.kind === "flag") return value === "true" ? "Yes" : value === "false" ? "No" : value;
  return filter?.titles[value] ?? (filter?.kind === "choice" ? sentenceCase(value) : value);
}

function filterKind(one: FilterSchema, forms: readonly FilterSchema[]): Filter["kind"] {
  if (forms.some(({ format }) => format?.startsWith("date"))) return "time";
  if (one.enum !== undefined) return "choice";
  if (one.type === "boolean") return "flag";
  return one.type === "integer" || one.type === "number" ? "number" : "text";
}
