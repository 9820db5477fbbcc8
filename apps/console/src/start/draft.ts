import type { FilterValue, ReportStart, ReportType } from "@reports/client";
import { filtersOf, type Filter } from "../parts/filters.ts";
import { optionsIn, parametersOf } from "./start-options.ts";

/** What stands in front of the name of a filter in the fragment, because filters and options may have one name. */
const filterPrefix = "f.";

/** The name of a filter's values in the fragment. */
export function parameterOf(filter: string): string {
  return `${filterPrefix}${filter}`;
}

/** The start that a fragment describes: every link to this page is one. What it says that the type does not have is sent, and refused at its field. */
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
    ...optionsIn(query),
    format: formatOf(query, type),
    ...(Object.keys(searchParam).length > 0 && { searchParam }),
  };
}

/** The format that is chosen, or the first that the type has. */
export function formatOf(query: URLSearchParams, type: ReportType): string {
  return query.get("format") ?? type.formats[0]!.format;
}

/** The fragment's parameters of a start, for links to this page. */
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

/** What is no value of its kind is sent as it was typed, and refused by name. */
function typedValue(filter: Filter | undefined, value: string): FilterValue {
  if (filter?.kind === "number" && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (filter?.kind === "flag" && /^(?:true|false)$/.test(value)) return value === "true";
  return value;
}
