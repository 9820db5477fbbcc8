import type { InputIssue } from "../base/errors.ts";
import { filterValueHandlers } from "./filter-value-handlers.ts";
import type { Filter, FilterOperator, FilterParseResult, FilterValue, SearchParam } from "./filters.ts";
import { describeUnknownName } from "./nearest-name.ts";
import { describeRepeatedParameter } from "./repeated-parameter.ts";
import { normaliseRelativeTime, type RelativeTimeContext } from "./relative-time.ts";

export const maxValuesPerFilter = 100;

export type FilterIssueLocator = (filterName: string, index?: number) => Pick<InputIssue, "parameter" | "pointer">;

export function parseFilters(
  filters: readonly Filter[],
  given: ReadonlyMap<string, readonly unknown[]>,
  locate: FilterIssueLocator,
  moment: RelativeTimeContext,
): FilterParseResult {
  const defaulted = filters.filter((filter) => filter.default !== undefined && nameGiven(filter, given) === undefined);
  const complete = new Map([...given, ...defaulted.map((filter) => [filter.name, [filter.default].flat()] as const)]);
  const issues: InputIssue[] = [];
  const normalised = new Map<string, FilterValue | readonly FilterValue[]>();
  const written = new Map<string, FilterValue | readonly FilterValue[]>();
  for (const [name, rawValues] of complete) {
    const filter = filters.find((candidate) => candidate.name === name || candidate.formerly?.includes(name));
    if (filter === undefined) {
      const names = filters.map((candidate) => candidate.name);
      issues.push({
        ...locate(name),
        code: "unknown_filter",
        message: describeUnknownName("filter", name, names, issues.length),
      });
      continue;
    }
    if (filter.name !== name && (given.has(filter.name) || normalised.has(filter.name))) {
      const message = `${name} is the former name of ${filter.name}, and both are given; use ${filter.name} only.`;
      issues.push({ ...locate(name), code: "invalid_filter", message });
      continue;
    }
    const result = parseValues({ ...filter, name }, rawValues, locate, moment);
    if ("issues" in result) {
      issues.push(...result.issues);
      continue;
    }
    normalised.set(filter.name, isSingleValueFilter(filter) ? result.values[0]! : result.values);
    written.set(filter.name, isSingleValueFilter(filter) ? result.given[0]! : result.given);
  }
  issues.push(...findMissing(filters, complete, locate));
  const isAccepted = (start: Filter, end: Filter): boolean =>
    moment.isOneOfMany === true && dependsOnMoment([start, end], written);
  issues.push(...findEmptyRanges(filters, normalised, given, locate, isAccepted));
  if (issues.length > 0) return { ok: false, issues };
  const names = defaulted.map(({ name }) => name);
  return { ok: true, filters: sortByName(normalised), given: sortByName(written), defaulted: names };
}

function nameGiven({ name, formerly = [] }: Filter, given: ReadonlyMap<string, unknown>): string | undefined {
  return [name, ...formerly].find((each) => given.has(each));
}

function findMissing(
  filters: readonly Filter[],
  given: ReadonlyMap<string, readonly unknown[]>,
  locate: FilterIssueLocator,
): InputIssue[] {
  const missing = filters.filter((filter) => filter.required === true && nameGiven(filter, given) === undefined);
  return missing.map((filter) => ({
    ...locate(filter.name),
    code: "required",
    message: `The filter ${filter.name} is required; it must be ${describeAllowedFilterValue(filter)}.`,
  }));
}

function sortByName(values: ReadonlyMap<string, FilterValue | readonly FilterValue[]>): SearchParam {
  return Object.fromEntries([...values.keys()].sort().map((name) => [name, values.get(name)!]));
}

const singleValueOperators: ReadonlySet<FilterOperator> = new Set(["contains", "from", "to", "empty", "parameter"]);

export function isSingleValueFilter(filter: Filter): boolean {
  return singleValueOperators.has(filter.operator);
}

export function describeAllowedFilterValue(filter: Filter): string {
  return filterValueHandlers[filter.value].rule(filter);
}

interface ParsedValues {
  readonly values: readonly FilterValue[];
  readonly given: readonly FilterValue[];
}

function parseValues(
  filter: Filter,
  rawValues: readonly unknown[],
  locate: FilterIssueLocator,
  moment: RelativeTimeContext,
): ParsedValues | { readonly issues: readonly InputIssue[] } {
  const wrongNumber = describeWrongNumber(filter, rawValues.length);
  if (wrongNumber !== null)
    return { issues: [{ ...locate(filter.name), code: "invalid_filter", message: wrongNumber }] };
  const issues: InputIssue[] = [];
  const kind = filterValueHandlers[filter.value];
  const values = new Set<FilterValue>();
  const given = new Set<FilterValue>();
  for (const [index, raw] of rawValues.entries()) {
    const value = kind.read(raw, filter, moment);
    if (value === null) {
      const message = `${filter.name} must be ${describeAllowedFilterValue(filter)}; ${quoteValue(raw)} is not.`;
      issues.push({ ...locate(filter.name, index), code: "invalid_filter", message });
      continue;
    }
    values.add(value);
    given.add((kind.isRelative === true ? normaliseRelativeTime(String(raw)) : null) ?? value);
  }
  return issues.length > 0 ? { issues } : { values: sortValues(values), given: sortValues(given) };
}

function describeWrongNumber(filter: Filter, count: number): string | null {
  if (count === 0) return `${filter.name} needs at least one value; it must be ${describeAllowedFilterValue(filter)}.`;
  if (isSingleValueFilter(filter) && count > 1) return describeRepeatedParameter(filter.name, count);
  return count > maxValuesPerFilter
    ? `${filter.name} takes at most ${maxValuesPerFilter} values, and ${count} were given.`
    : null;
}

function sortValues(values: ReadonlySet<FilterValue>): readonly FilterValue[] {
  return [...values].sort((a, b) => (typeof a === "number" && typeof b === "number" ? a - b : a < b ? -1 : 1));
}

function findEmptyRanges(
  filters: readonly Filter[],
  normalised: ReadonlyMap<string, FilterValue | readonly FilterValue[]>,
  given: ReadonlyMap<string, readonly unknown[]>,
  locate: FilterIssueLocator,
  isAccepted: (start: Filter, end: Filter) => boolean,
): InputIssue[] {
  const nameOf = (filter: Filter): string =>
    nameGiven(filter, given) ?? `${filter.name} (by default ${String(filter.default)})`;
  return filters.flatMap((filter) => {
    if (filter.operator !== "from") return [];
    const { compare } = filterValueHandlers[filter.value];
    const end = filters.find((other) => isEndOf(other, filter));
    const from = normalised.get(filter.name);
    const to = end && normalised.get(end.name);
    if (compare === undefined || typeof from !== "string" || typeof to !== "string" || compare(from, to) < 0) return [];
    if (isAccepted(filter, end!)) return [];
    return [
      {
        ...locate(nameGiven(filter, given) ?? filter.name),
        code: "empty_range",
        message: `${nameOf(filter)} must be before ${nameOf(end!)}.`,
      },
    ];
  });
}

function dependsOnMoment(
  ends: readonly [Filter, Filter],
  written: ReadonlyMap<string, FilterValue | readonly FilterValue[]>,
): boolean {
  const [from, to] = ends.map(({ name }) => String(written.get(name)));
  return from !== to && [from!, to!].some((end) => normaliseRelativeTime(end) !== null);
}

/** Reports whether two filters are the ends of one range. Filters without columns belong together by name, such as `hiredFrom` and `hiredTo`. */
function isEndOf(end: Filter, start: Filter): boolean {
  if (end.operator !== "to" || end.value !== start.value || end.columns[0] !== start.columns[0]) return false;
  return start.columns.length > 0 || end.name.replace(/To$/, "") === start.name.replace(/From$/, "");
}

function quoteValue(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
