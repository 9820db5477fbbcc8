import { reportOptions, type FilterValue, type ReportStart, type ReportType } from "@reports/client";
import { valuesIn } from "../parts/field-values.ts";
import { filtersOf, type Filter } from "../parts/filters.ts";
import { parametersOf } from "./start-options.ts";

/** Precedes names of filters in the fragment, because a filter and an option may have one name. */
const filterPrefix = "f.";

/** The parameter of a filter's values. */
export function parameterOf(filter: string): string {
  return `${filterPrefix}${filter}`;
}

/** The start that a fragment describes. Unknown parts are sent, and refused at their field. */
export function draftOf(query: URLSearchParams, type: ReportType): ReportStart {
  const filters = filtersOf(type);
  const searchParam = Object.fromEntries(
    [...new Set(query.keys())]
      .filter((name) => name.startsWith(filterPrefix))
      .map((name) => [name.slice(filterPrefix.length), query.getAll(name).filter((value) => value !== "")] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [
        name,
        valueOf(
          filters.find((filter) => filter.name === name),
          values,
        ),
      ]),
  );
  return {
    reportType: type.reportType,
    ...valuesIn<ReportStart>(query, reportOptions),
    format: formatOf(query, type),
    ...(Object.keys(searchParam).length > 0 && { searchParam }),
  };
}

/** The chosen format, or the type's first one. */
export function formatOf(query: URLSearchParams, type: ReportType): string {
  return query.get("format") ?? type.formats[0]!.format;
}

/** The parameters of a start, for links to this page. */
export function queryOf(start: ReportStart): Record<string, string | readonly string[]> {
  const { searchParam, reportType } = start;
  const query: Record<string, string | readonly string[]> = { type: reportType, ...parametersOf(start) };
  if (typeof searchParam === "object" && searchParam !== null)
    for (const [name, value] of Object.entries(searchParam)) query[parameterOf(name)] = [value].flat().map(String);
  return query;
}

function valueOf(filter: Filter | undefined, values: readonly string[]): FilterValue | readonly FilterValue[] {
  const typed = values.map((value) => typedValue(filter, value));
  return filter?.isList === true ? typed : typed[0]!;
}

/** Invalid values are sent as typed, and refused by name. */
function typedValue(filter: Filter | undefined, value: string): FilterValue {
  if (filter?.kind === "number" && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (filter?.kind === "flag" && /^(?:true|false)$/.test(value)) return value === "true";
  return value;
}
