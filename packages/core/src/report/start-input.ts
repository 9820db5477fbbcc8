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

/** Decoded pairs of a query. */
export type Pairs = readonly (readonly [string, string])[];

/**
 * Reads the parameters of a literal start out of its query (`reportType` has been checked before and is passed over).
 * Relative times are meant at `now`, in the report's time zone. Throws DomainError("bad-request") with every problem.
 */
export function startInputFromQuery(definition: ReportTypeDefinition, pairs: Pairs, now: Date): StartInput {
  const others = pairs.filter(([name]) => name !== "reportType");
  return inputFromQuery(definition, others, { now, names: startNames });
}

/** How a query is read that names filters and options. */
export interface QueryRules {
  /** At which relative times are meant. */
  readonly now: Date;
  /** What may stand in it. */
  readonly names: readonly string[];
  /** What else was found to be wrong with it. */
  readonly issues?: readonly InputIssue[];
  /** What fails by it, in a few words; a start unless it is said. */
  readonly failure?: string;
}

/** Reads filters and options out of a query. Throws DomainError("bad-request") with every problem. */
export function inputFromQuery(
  definition: ReportTypeDefinition,
  pairs: Pairs,
  { now, names, issues: found = [], failure }: QueryRules,
): StartInput {
  const issues: InputIssue[] = [...found];
  const given = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (isSearchParamName(name)) continue;
    if (!isOptionName(name) || !names.includes(name)) {
      issues.push(unknownName(name, { parameter: name }, issues.length, names));
    } else if (given.has(name))
      issues.push({
        parameter: name,
        code: "repeated_parameter",
        message: `${name} takes one value; separate several with commas where it is a list.`,
      });
    else given.set(name, value);
  }
  const parsed = parseReportOptions(definition, "text", Object.fromEntries(given), (name) => ({ parameter: name }));
  const search = searchParamFromQuery(definition.filters, pairs, momentOf(parsed, now));
  return combine(definition, { kind: "bad-request", failure }, issues, parsed, search);
}

/**
 * Reads a start out of a JSON body (an object whose `reportType` has been checked before). Relative times are meant at `now`, in the time zone
 * `meantIn`, which is the report's unless it is said. Throws DomainError("invalid") with every problem.
 */
export function startInputFromBody(
  definition: ReportTypeDefinition,
  body: Readonly<Record<string, unknown>>,
  now: Date,
  meantIn?: string,
): StartInput {
  const issues: InputIssue[] = [];
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(body)) {
    if (name === "reportType" || name === "searchParam") continue;
    if (isOptionName(name)) given.set(name, value);
    else issues.push(unknownName(name, { pointer: pointerOf([name]) }, issues.length, startNames));
  }
  const parsed = parseReportOptions(definition, "json", Object.fromEntries(given), (name) => ({
    pointer: `/${name}`,
  }));
  const search = searchParamFromBody(definition.filters, body["searchParam"], momentOf(parsed, now, meantIn));
  return combine(definition, { kind: "invalid" }, issues, parsed, search);
}

/** A time zone that is refused is told of beside what is wrong with the filters. */
function momentOf(parsed: ParsedOptions, now: Date, meantIn?: string): Moment {
  return { now, timezone: meantIn ?? (parsed.ok ? parsed.options.timezone : "UTC") };
}

function combine(
  definition: ReportTypeDefinition,
  refusal: { readonly kind: "bad-request" | "invalid"; readonly failure?: string | undefined },
  issues: readonly InputIssue[],
  parsed: ParsedOptions,
  search: FilterResult,
): StartInput {
  const all = [...issues, ...(parsed.ok ? [] : parsed.issues), ...(search.ok ? [] : search.issues)];
  if (all.length > 0 || !parsed.ok || !search.ok) {
    const failure = refusal.failure ?? "The report cannot be started";
    throw invalidInput(refusal.kind, "invalid-parameters", failure, all);
  }
  const { title, ...options } = parsed.options;
  return { definition, title, options, searchParam: search.filters, searchParamGiven: search.given };
}

const startNames = ["reportType", "searchParam", ...reportOptionNames];

function unknownName(
  name: string,
  place: Pick<InputIssue, "parameter" | "pointer">,
  found: number,
  names: readonly string[],
): InputIssue {
  return { ...place, code: "unknown_parameter", message: describeUnknownName("parameter", name, names, found) };
}

function isOptionName(name: string): boolean {
  return (reportOptionNames as readonly string[]).includes(name);
}
