import type { InputIssue } from "../errors.ts";
import { invalidInput } from "../list-issues.ts";
import type { FilterResult, SearchParam } from "../query/filters.ts";
import type { Moment } from "../query/relative-time.ts";
import { describeUnknownName } from "../query/nearest-name.ts";
import { parseReportOptions, reportOptionNames, type ParsedOptions } from "./parse-options.ts";
import type { ReportOptions } from "./options.ts";
import type { ReportTypeDefinition } from "./report-type.ts";
import { isSearchParamName, searchParamFromBody, searchParamFromQuery } from "./search-param.ts";
import { pointerOf } from "../json-pointer.ts";

/** What a caller asks for, checked and normalised. */
export interface StartInput {
  readonly definition: ReportTypeDefinition;
  readonly title: string;
  /** Every relative time in it resolved. */
  readonly searchParam: SearchParam;
  /** The same as it was written, its relative times with it. */
  readonly searchParamGiven: SearchParam;
  readonly options: ReportOptions;
}

/**
 * Reads the parameters of a literal start out of its query (decoded pairs; `reportType` has been checked before and is passed over).
 * Relative times are meant at `now`, in the report's time zone. Throws DomainError("bad-request") with every problem.
 */
export function startInputFromQuery(
  definition: ReportTypeDefinition,
  pairs: readonly (readonly [string, string])[],
  now: Date,
): StartInput {
  const issues: InputIssue[] = [];
  const given = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (name === "reportType" || isSearchParamName(name)) continue;
    if (!isOptionName(name)) issues.push(unknownName(name, { parameter: name }, issues.length));
    else if (given.has(name))
      issues.push({
        parameter: name,
        code: "repeated_parameter",
        message: `${name} takes one value; separate several with commas where it is a list.`,
      });
    else given.set(name, value);
  }
  const parsed = parseReportOptions(definition, "text", Object.fromEntries(given), (name) => ({ parameter: name }));
  const search = searchParamFromQuery(definition.filters, pairs, momentOf(parsed, now));
  return combine(definition, "bad-request", issues, parsed, search);
}

/**
 * Reads a start out of a JSON body (an object whose `reportType` has been checked before). Relative times are meant at `now`, in the report's
 * time zone. Throws DomainError("invalid") with every problem.
 */
export function startInputFromBody(
  definition: ReportTypeDefinition,
  body: Readonly<Record<string, unknown>>,
  now: Date,
): StartInput {
  const issues: InputIssue[] = [];
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(body)) {
    if (name === "reportType" || name === "searchParam") continue;
    if (isOptionName(name)) given.set(name, value);
    else issues.push(unknownName(name, { pointer: pointerOf([name]) }, issues.length));
  }
  const parsed = parseReportOptions(definition, "json", Object.fromEntries(given), (name) => ({
    pointer: `/${name}`,
  }));
  const search = searchParamFromBody(definition.filters, body["searchParam"], momentOf(parsed, now));
  return combine(definition, "invalid", issues, parsed, search);
}

/** A time zone that is refused is told of beside what is wrong with the filters. */
function momentOf(parsed: ParsedOptions, now: Date): Moment {
  return { now, timezone: parsed.ok ? parsed.options.timezone : "UTC" };
}

function combine(
  definition: ReportTypeDefinition,
  kind: "bad-request" | "invalid",
  issues: readonly InputIssue[],
  parsed: ParsedOptions,
  search: FilterResult,
): StartInput {
  const all = [...issues, ...(parsed.ok ? [] : parsed.issues), ...(search.ok ? [] : search.issues)];
  if (all.length > 0 || !parsed.ok || !search.ok) {
    throw invalidInput(kind, "invalid-parameters", "The report cannot be started", all);
  }
  const { title, ...options } = parsed.options;
  return { definition, title, options, searchParam: search.filters, searchParamGiven: search.given };
}

const startNames = ["reportType", "searchParam", ...reportOptionNames];

function unknownName(name: string, place: Pick<InputIssue, "parameter" | "pointer">, found: number): InputIssue {
  return { ...place, code: "unknown_parameter", message: describeUnknownName("parameter", name, startNames, found) };
}

function isOptionName(name: string): boolean {
  return (reportOptionNames as readonly string[]).includes(name);
}
