import type { InputIssue } from "../../base/errors.ts";
import { invalidInputError } from "../../base/truncate-issues.ts";
import type { FilterParseResult, SearchParam } from "../../query/filters.ts";
import type { RelativeTimeContext } from "../../query/relative-time.ts";
import { describeUnknownName } from "../../query/nearest-name.ts";
import { repeatedParameterIssue } from "../../query/repeated-parameter.ts";
import { isListOption, parseReportOptions, reportOptionNames, type OptionsParseResult } from "./parse-options.ts";
import type { ReportOptions } from "../types/options.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import { isSearchParamName, searchParamFromBody, searchParamFromQuery } from "./search-param.ts";
import { toJsonPointer } from "../../base/json-object.ts";

export interface StartInput {
  readonly definition: ReportTypeDefinition;
  readonly title: string;
  readonly searchParam: SearchParam;
  readonly searchParamGiven: SearchParam;
  readonly defaulted: readonly string[];
  readonly options: ReportOptions;
}

export type QueryPairs = readonly (readonly [string, string])[];

/**
 * Reads the query of a legacy start. The caller has checked `reportType`. Resolves relative times at `now`, in the report's time zone. Throws
 * DomainError("bad-request") with every problem.
 */
export function startInputFromQuery(definition: ReportTypeDefinition, pairs: QueryPairs, now: Date): StartInput {
  const others = pairs.filter(([name]) => name !== "reportType");
  return readStartInputFromQuery(definition, others, { now, names: startParameterNames });
}

export interface StartQueryRules {
  readonly now: Date;
  readonly names: readonly string[];
  readonly issues?: readonly InputIssue[];
  readonly failure?: string;
}

export function readStartInputFromQuery(
  definition: ReportTypeDefinition,
  pairs: QueryPairs,
  { now, names, issues: found = [], failure }: StartQueryRules,
): StartInput {
  const issues: InputIssue[] = [...found];
  const given = new Map<(typeof reportOptionNames)[number], string>();
  for (const [name, value] of pairs) {
    if (isSearchParamName(name)) continue;
    if (!isOptionName(name) || !names.includes(name)) {
      issues.push(unknownNameIssue(name, { parameter: name }, issues.length, names));
    } else if (!given.has(name)) given.set(name, value);
  }
  for (const [name] of given) {
    const times = pairs.filter(([each]) => each === name).length;
    if (times > 1) issues.push(repeatedParameterIssue(name, times, { isList: isListOption(name) }));
  }
  const parsed = parseReportOptions(definition, "text", Object.fromEntries(given), ([name]) => ({
    parameter: String(name),
  }));
  const search = searchParamFromQuery(definition.filters, pairs, momentOf(parsed, now));
  return startInputOrThrow(combineStart(definition, issues, parsed, search), { kind: "bad-request", failure });
}

/** Reads a start from a JSON body, whose `reportType` was checked before. Resolves relative times at `now` in `relativeTimezone` (default: the report's). Throws DomainError("invalid") with every problem. */
export function startInputFromBody(
  definition: ReportTypeDefinition,
  body: Readonly<Record<string, unknown>>,
  now: Date,
  relativeTimezone?: string,
): StartInput {
  return startInputOrThrow(readStartBody(definition, body, now, relativeTimezone), { kind: "invalid" });
}

export function readStartBody(
  definition: ReportTypeDefinition,
  body: Readonly<Record<string, unknown>>,
  now: Date,
  relativeTimezone?: string,
  { isOneOfMany }: Pick<RelativeTimeContext, "isOneOfMany"> = {},
): StartResult {
  const issues: InputIssue[] = [];
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(body)) {
    if (name === "reportType" || name === "searchParam") continue;
    if (isOptionName(name)) given.set(name, value);
    else issues.push(unknownNameIssue(name, { pointer: toJsonPointer([name]) }, issues.length, startParameterNames));
  }
  const parsed = parseReportOptions(definition, "json", Object.fromEntries(given), (path) => ({
    pointer: toJsonPointer(path),
  }));
  const moment = { ...momentOf(parsed, now, relativeTimezone), ...(isOneOfMany === true && { isOneOfMany }) };
  const search = searchParamFromBody(definition.filters, body["searchParam"], moment);
  return combineStart(definition, issues, parsed, search);
}

/**
 * Returns the moment of relative times. If no zone is given and the options are invalid, the zone is UTC, so that the problems of filters are
 * reported too.
 */
function momentOf(parsed: OptionsParseResult, now: Date, relativeTimezone?: string): RelativeTimeContext {
  return { now, timezone: relativeTimezone ?? (parsed.ok ? parsed.options.timezone : "UTC") };
}

type StartResult =
  | { readonly ok: true; readonly input: StartInput }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

function combineStart(
  definition: ReportTypeDefinition,
  issues: readonly InputIssue[],
  parsed: OptionsParseResult,
  search: FilterParseResult,
): StartResult {
  const all = [...issues, ...(parsed.ok ? [] : parsed.issues), ...(search.ok ? [] : search.issues)];
  if (all.length > 0 || !parsed.ok || !search.ok) return { ok: false, issues: all };
  const { title, ...options } = parsed.options;
  const { filters: searchParam, given: searchParamGiven, defaulted } = search;
  return { ok: true, input: { definition, title, options, searchParam, searchParamGiven, defaulted } };
}

function startInputOrThrow(
  read: StartResult,
  { kind, failure }: { readonly kind: "bad-request" | "invalid"; readonly failure?: string | undefined },
): StartInput {
  if (read.ok) return read.input;
  throw invalidInputError(kind, "invalid-parameters", failure ?? "The report cannot be started", read.issues);
}

const startParameterNames = ["reportType", "searchParam", ...reportOptionNames];

function unknownNameIssue(
  name: string,
  place: Pick<InputIssue, "parameter" | "pointer">,
  found: number,
  names: readonly string[],
): InputIssue {
  return { ...place, code: "unknown_parameter", message: describeUnknownName("parameter", name, names, found) };
}

function isOptionName(name: string): name is (typeof reportOptionNames)[number] {
  return (reportOptionNames as readonly string[]).includes(name);
}
