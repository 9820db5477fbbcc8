import { reportOptions, type FilterValue, type ReportStart, type ReportType } from "@reports/client";
import { parseTime } from "@reports/client/times";
import { readFieldValues } from "../parts/field-values.ts";
import { deriveFilters, type Filter } from "../parts/filters.ts";
import { buildOptionParameters } from "./start-options.ts";

/** The prefix of filters in the URL fragment. It separates a filter from an option with the same name. */
const filterPrefix = "f.";

export function toFilterParameter(filter: string): string {
  return `${filterPrefix}${filter}`;
}

export function isStartDraftParameter(name: string): boolean {
  return name === "type" || name.startsWith(filterPrefix) || Object.hasOwn(reportOptions, name);
}

/** Returns the query with the defaults of its missing filters, which the API would also add to the start request. */
export function addDefaultFilters(given: URLSearchParams, type: ReportType): URLSearchParams {
  const query = new URLSearchParams(given);
  for (const { name, defaults } of deriveFilters(type))
    if (!given.has(toFilterParameter(name))) for (const value of defaults) query.append(toFilterParameter(name), value);
  return query;
}

/** Reads a start request from the URL fragment. Keeps invalid values, so that the API reports them by field. */
export function readStartDraft(query: URLSearchParams, type: ReportType): ReportStart {
  const filters = deriveFilters(type);
  const searchParam = Object.fromEntries(
    [...new Set(query.keys())]
      .filter((name) => name.startsWith(filterPrefix))
      .map((name) => [name.slice(filterPrefix.length), query.getAll(name).filter((value) => value !== "")] as const)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => [
        name,
        toFilterValue(
          filters.find((filter) => filter.name === name),
          values,
          readDraftTimezone(query),
        ),
      ]),
  );
  return {
    reportType: type.reportType,
    ...readFieldValues<ReportStart>(query, reportOptions),
    format: readDraftFormat(query, type),
    ...(Object.keys(searchParam).length > 0 && { searchParam }),
  };
}

export function readDraftFormat(query: URLSearchParams, type: ReportType): string {
  return query.get("format") ?? type.formats[0]!.format;
}

export function readDraftTimezone(query: URLSearchParams): string {
  return query.get("timezone") ?? "UTC";
}

/** Replaces former names of filters and columns by the current ones, because old links still have them. */
export function replaceFormerQueryNames(
  query: URLSearchParams,
  { formerNames }: Pick<ReportType, "formerNames">,
): URLSearchParams {
  const [filters, columns] = [formerNames.filters, formerNames.columns].map((names) => new Map(Object.entries(names)));
  const renameKey = (key: string): string => columns!.get(key) ?? key;
  return new URLSearchParams(
    [...query].map(([name, value]) =>
      name.startsWith(filterPrefix)
        ? [toFilterParameter(filters!.get(name.slice(filterPrefix.length)) ?? name.slice(filterPrefix.length)), value]
        : [name, /^(?:columns|sort|groupBy)$/.test(name) ? value.replace(/[^,-]+/g, renameKey) : value],
    ),
  );
}

export function buildStartDraftQuery(start: ReportStart): Record<string, string | readonly string[]> {
  const { searchParam, reportType } = start;
  const query: Record<string, string | readonly string[]> = { type: reportType, ...buildOptionParameters(start) };
  if (typeof searchParam === "object" && searchParam !== null)
    for (const [name, value] of Object.entries(searchParam))
      query[toFilterParameter(name)] = [value].flat().map(String);
  return query;
}

function toFilterValue(
  filter: Filter | undefined,
  values: readonly string[],
  timezone: string,
): FilterValue | readonly FilterValue[] {
  const typed = values.map((value) => parseFilterValue(filter, value, timezone));
  return filter?.isList === true ? typed : typed[0]!;
}

function parseFilterValue(filter: Filter | undefined, value: string, timezone: string): FilterValue {
  if (filter?.kind === "number" && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (filter?.kind === "flag" && /^(?:true|false)$/.test(value)) return value === "true";
  if (filter?.kind === "time") return parseTime(value, { timezone, days: filter.days }).value ?? value;
  return value;
}
