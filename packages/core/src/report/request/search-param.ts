import type { InputIssue } from "../../base/errors.ts";
import { toJsonPointer, type JsonObject } from "../../base/json-object.ts";
import type { Filter, FilterParseResult } from "../../query/filters.ts";
import { parseFilters, type FilterIssueLocator } from "../../query/parse-filters.ts";
import type { RelativeTimeContext } from "../../query/relative-time.ts";
import { repeatedParameterIssue } from "../../query/repeated-parameter.ts";
import { MalformedJsonError, parseStrictJson } from "../../base/strict-json.ts";

type IssueLocation = ReturnType<FilterIssueLocator>;

export const maxSearchParamBytes = 4096;

const bracketPattern = /^searchParam\[([^[\]]*)\](?:\[\])?$/;

export function isSearchParamName(name: string): boolean {
  return name === "searchParam" || name.startsWith("searchParam[");
}

/** Reads searchParam from decoded query pairs: JSON, bracketed keys, or other text, which is `q`. Ignores other names. */
export function searchParamFromQuery(
  filters: readonly Filter[],
  pairs: readonly (readonly [string, string])[],
  moment: RelativeTimeContext,
): FilterParseResult {
  const own = pairs.filter(([name]) => isSearchParamName(name));
  const plain = own.filter(([name]) => name === "searchParam");
  const brackets = own.filter(([name]) => name !== "searchParam");
  const bytes = own.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) - "searchParam".length + Buffer.byteLength(value),
    0,
  );
  if (bytes > maxSearchParamBytes) {
    return refuseSearchParam(
      "too_long",
      `searchParam takes at most ${maxSearchParamBytes} bytes, and ${bytes} were given.`,
    );
  }
  if (plain.length > 0 && brackets.length > 0) {
    return refuseSearchParam(
      "mixed_spellings",
      "searchParam is given both whole and with bracketed keys; use one of the spellings.",
    );
  }
  if (plain.length > 1) {
    return { ok: false, issues: [repeatedParameterIssue("searchParam", plain.length)] };
  }
  if (brackets.length > 0) return parseBrackets(filters, brackets, moment);
  const locate = (name: string): IssueLocation => ({ parameter: `searchParam.${name}` });
  return parseText(filters, plain[0]?.[1] ?? "", { parameter: "searchParam" }, locate, moment);
}

export function searchParamFromBody(
  filters: readonly Filter[],
  value: unknown,
  moment: RelativeTimeContext,
  pointer = "/searchParam",
): FilterParseResult {
  if (value === undefined || value === null) return searchParamFromBody(filters, {}, moment, pointer);
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > maxSearchParamBytes) {
    const message = `searchParam takes at most ${maxSearchParamBytes} bytes of JSON, and ${bytes} were given.`;
    return { ok: false, issues: [{ pointer, code: "too_long", message }] };
  }
  if (typeof value === "string") return parseText(filters, value, { pointer }, () => ({ pointer }), moment);
  if (typeof value !== "object" || Array.isArray(value)) {
    const message = "searchParam must be an object of filters, or text to search for.";
    return { ok: false, issues: [{ pointer, code: "not_an_object", message }] };
  }
  const locate: FilterIssueLocator = (name, index) => {
    const isElement = index !== undefined && Array.isArray((value as JsonObject)[name]);
    return { pointer: `${pointer}${toJsonPointer(isElement ? [name, index] : [name])}` };
  };
  return parseFilters(filters, entriesOf(value), locate, moment);
}

function parseBrackets(
  filters: readonly Filter[],
  pairs: readonly (readonly [string, string])[],
  moment: RelativeTimeContext,
): FilterParseResult {
  const given = new Map<string, string[]>();
  const issues: InputIssue[] = [];
  for (const [name, value] of pairs) {
    const key = bracketPattern.exec(name)?.[1];
    if (key === undefined) {
      issues.push({
        parameter: name,
        code: "malformed_parameter",
        message: "Write searchParam[filter]=value, and repeat it for a list.",
      });
      continue;
    }
    given.set(key, [...(given.get(key) ?? []), value]);
  }
  const result = parseFilters(filters, given, (name) => ({ parameter: `searchParam[${name}]` }), moment);
  if (issues.length === 0) return result;
  return { ok: false, issues: result.ok ? issues : [...issues, ...result.issues] };
}

function parseText(
  filters: readonly Filter[],
  text: string,
  place: IssueLocation,
  locate: FilterIssueLocator,
  moment: RelativeTimeContext,
): FilterParseResult {
  if (text === "") return parseFilters(filters, new Map(), locate, moment);
  if (!text.startsWith("{") && !text.startsWith("["))
    return parseFilters(filters, new Map([["q", [text]]]), () => place, moment);
  let value: unknown;
  try {
    value = parseStrictJson(text, "searchParam begins like JSON, and");
  } catch (error) {
    if (!(error instanceof MalformedJsonError)) throw error;
    return { ok: false, issues: [{ ...place, code: "malformed_json", message: error.message }] };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = "searchParam as JSON must be an object of filters, not a list.";
    return { ok: false, issues: [{ ...place, code: "not_an_object", message }] };
  }
  return parseFilters(filters, entriesOf(value), locate, moment);
}

function entriesOf(value: object): Map<string, readonly unknown[]> {
  return new Map(Object.entries(value).map(([name, entry]) => [name, Array.isArray(entry) ? entry : [entry]]));
}

function refuseSearchParam(code: string, message: string): FilterParseResult {
  return { ok: false, issues: [{ parameter: "searchParam", code, message }] };
}
