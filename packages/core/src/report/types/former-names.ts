import type { SearchParam } from "../../query/filters.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

type Named = Pick<ReportTypeDefinition, "columns" | "filters">;

export interface FormerNames {
  readonly columns: Readonly<Record<string, string>>;
  readonly filters: Readonly<Record<string, string>>;
}

export function formerNamesOf({ columns, filters }: Named): FormerNames {
  return {
    columns: Object.fromEntries(columns.flatMap(({ key, formerly = [] }) => formerly.map((name) => [name, key]))),
    filters: Object.fromEntries(filters.flatMap(({ name, formerly = [] }) => formerly.map((old) => [old, name]))),
  };
}

/** Returns sorted filters, and options, with the oldest names of filters and columns, so that their hash survives renames. */
export function withOldestNames<Options extends Readonly<Record<string, unknown>>>(
  { columns, filters }: Named,
  { searchParam, options }: { readonly searchParam: SearchParam; readonly options: Options },
): { readonly searchParam: SearchParam; readonly options: Options } {
  const oldest = {
    columns: Object.fromEntries(columns.map(({ key, formerly }) => [key, formerly?.[0] ?? key])),
    filters: Object.fromEntries(filters.map(({ name, formerly }) => [name, formerly?.[0] ?? name])),
  };
  const renamed = new Map(
    Object.entries(searchParam).map(([name, value]) => [toCurrentName(oldest.filters, name), value]),
  );
  return {
    searchParam: Object.fromEntries([...renamed.keys()].sort().map((name) => [name, renamed.get(name)!])),
    options: renameColumns(oldest.columns, options),
  };
}

export function withCurrentNames<
  Stored extends { readonly searchParam: SearchParam; readonly options: Readonly<Record<string, unknown>> },
>(definition: Named, stored: Stored): Stored {
  const { searchParam, options } = stored;
  return {
    ...stored,
    searchParam: withCurrentFilterNames(definition, searchParam),
    options: withCurrentColumnKeys(definition, options),
  };
}

/** Returns filters by their current names. A filter given under two names keeps both, so that the parser reports the repetition. */
export function withCurrentFilterNames<Filters extends object>(definition: Named, given: Filters): Filters {
  const { filters } = formerNamesOf(definition);
  const renamed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const current = toCurrentName(filters, name);
    renamed[Object.hasOwn(given, current) || Object.hasOwn(renamed, current) ? name : current] = value;
  }
  return renamed as Filters;
}

/** Returns options with the current keys of columns. Values can come from a body, a query or a record. Invalid values stay as they are. */
export function withCurrentColumnKeys<Options extends Readonly<Record<string, unknown>>>(
  definition: Named,
  options: Options,
): Options {
  const { columns } = formerNamesOf(definition);
  return Object.keys(columns).length === 0 ? options : renameColumns(columns, options);
}

function renameColumns<Options extends Readonly<Record<string, unknown>>>(
  columns: Readonly<Record<string, string>>,
  options: Options,
): Options {
  const renameKey = (key: unknown): unknown => {
    if (typeof key !== "string") return key;
    return key.startsWith("-") ? `-${toCurrentName(columns, key.slice(1))}` : toCurrentName(columns, key);
  };
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renameKey);
    // In a query, an option with several columns is one text, in which commas separate the keys.
    return typeof value === "string" ? value.split(",").map(renameKey).join(",") : value;
  };
  const entries = Object.entries(options).map(([name, value]) => [
    name,
    name === "columns" || name === "sort" || name === "groupBy" ? rename(value) : value,
  ]);
  return Object.fromEntries(entries) as Options;
}

export function toCurrentName(names: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(names, name) ? names[name] : undefined) ?? name;
}
