import type { InputIssue } from "../errors.ts";
import type { Filter, FilterResult, FilterValue, SearchParam } from "./filters.ts";
import { hostnameToAscii } from "./hostname.ts";
import { describeUnknownName } from "./nearest-name.ts";
import { compareTimestamps, normaliseTimestamp, timestampRule } from "./timestamp.ts";

const maxTextLength = 255;
const maxValues = 100;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Where an issue with the named filter stands in the caller's input. */
export type Locate = (filterName: string) => Pick<InputIssue, "parameter" | "pointer">;

/**
 * Normalises filters that were given as names with one or more raw values each (text from a query; text, numbers or booleans from JSON).
 * Every problem is reported, not the first.
 */
export function parseFilters(
  filters: readonly Filter[],
  given: ReadonlyMap<string, readonly unknown[]>,
  locate: Locate,
): FilterResult {
  const issues: InputIssue[] = [];
  const normalised = new Map<string, FilterValue | readonly FilterValue[]>();
  for (const [name, rawValues] of given) {
    const filter = filters.find((candidate) => candidate.name === name);
    if (filter === undefined) {
      const names = filters.map((candidate) => candidate.name);
      issues.push({
        ...locate(name),
        code: "unknown_filter",
        message: describeUnknownName("filter", name, names, issues.length),
      });
      continue;
    }
    const result = parseValues(filter, rawValues);
    if (typeof result === "string") issues.push({ ...locate(name), code: "invalid_filter", message: result });
    else normalised.set(name, isSingle(filter) ? result[0]! : result);
  }
  issues.push(...findEmptyRanges(filters, normalised, locate));
  if (issues.length > 0) return { ok: false, issues };
  const names = [...normalised.keys()].sort();
  return { ok: true, filters: Object.fromEntries(names.map((name) => [name, normalised.get(name)!])) as SearchParam };
}

/** Whether a filter takes one value only. */
export function isSingle(filter: Filter): boolean {
  return filter.operator === "contains" || filter.operator === "from" || filter.operator === "to";
}

/** What a filter takes, in words that complete "… must be". */
export function describeFilterValue(filter: Filter): string {
  switch (filter.value) {
    case "enum":
      return `one of ${filter.values!.join(", ")}`;
    case "integer":
      return `an integer from ${filter.min ?? Number.MIN_SAFE_INTEGER} to ${filter.max ?? Number.MAX_SAFE_INTEGER}`;
    case "boolean":
      return "true or false";
    case "timestamp":
      return timestampRule;
    case "uuid":
      return "an id (lower-case UUID)";
    case "hostname":
      return "a host name, such as www.example.org";
    case "text":
      return filter.form?.rule ?? `text of 1 to ${filter.maxLength ?? maxTextLength} characters without NUL`;
  }
}

function parseValues(filter: Filter, rawValues: readonly unknown[]): readonly FilterValue[] | string {
  if (rawValues.length === 0)
    return `${filter.name} needs at least one value; it must be ${describeFilterValue(filter)}.`;
  if (isSingle(filter) && rawValues.length > 1)
    return `${filter.name} takes one value, and ${rawValues.length} were given.`;
  if (rawValues.length > maxValues)
    return `${filter.name} takes at most ${maxValues} values, and ${rawValues.length} were given.`;
  const values = new Set<FilterValue>();
  for (const raw of rawValues) {
    const value = parseValue(filter, raw);
    if (value === null) return `${filter.name} must be ${describeFilterValue(filter)}; ${quote(raw)} is not.`;
    values.add(value);
  }
  return [...values].sort((a, b) => (typeof a === "number" && typeof b === "number" ? a - b : a < b ? -1 : 1));
}

function parseValue(filter: Filter, raw: unknown): FilterValue | null {
  switch (filter.value) {
    case "enum":
      return typeof raw === "string" && filter.values!.includes(raw) ? raw : null;
    case "integer":
      return parseInteger(raw, filter.min ?? Number.MIN_SAFE_INTEGER, filter.max ?? Number.MAX_SAFE_INTEGER);
    case "boolean":
      return raw === true || raw === "true" ? true : raw === false || raw === "false" ? false : null;
    case "timestamp":
      return typeof raw === "string" ? normaliseTimestamp(raw) : null;
    case "uuid":
      return typeof raw === "string" && uuid.test(raw) ? raw : null;
    case "hostname":
      return typeof raw === "string" ? parseHostname(raw, filter.operator) : null;
    case "text":
      return typeof raw === "string" ? parseText(raw, filter) : null;
  }
}

function parseHostname(raw: string, operator: Filter["operator"]): string | null {
  if (operator === "serves") return hostnameToAscii(raw, { wildcard: false });
  if (operator !== "suffix") return hostnameToAscii(raw);
  // A suffix may be a single label, which is no whole host name.
  return hostnameToAscii(`x.${raw}`)?.slice(2) ?? null;
}

/** In the form in which texts are written, so that it can match one. */
function parseText(raw: string, { form, maxLength = maxTextLength }: Filter): string | null {
  if (!isText(raw, maxLength)) return null;
  return form === undefined ? raw.normalize("NFC") : form.normalise(raw);
}

function parseInteger(raw: unknown, min: number, max: number): number | null {
  const value = typeof raw === "string" && /^-?\d{1,16}$/.test(raw) ? Number(raw) : raw;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max ? value + 0 : null;
}

function isText(text: string, maxLength: number): boolean {
  // Postgres has no NUL in text, and a lone surrogate has no UTF-8 form.
  return text !== "" && [...text].length <= maxLength && !text.includes("\0") && text.isWellFormed();
}

/** Every `xFrom` that is not before its `xTo`. */
function findEmptyRanges(
  filters: readonly Filter[],
  normalised: ReadonlyMap<string, FilterValue | readonly FilterValue[]>,
  locate: Locate,
): InputIssue[] {
  return filters.flatMap((filter) => {
    if (filter.operator !== "from") return [];
    const end = filters.find((other) => other.operator === "to" && other.columns[0] === filter.columns[0]);
    const from = normalised.get(filter.name);
    const to = end && normalised.get(end.name);
    if (typeof from !== "string" || typeof to !== "string" || compareTimestamps(from, to) < 0) return [];
    return [{ ...locate(filter.name), code: "empty_range", message: `${filter.name} must be before ${end!.name}.` }];
  });
}

function quote(raw: unknown): string {
  const text = JSON.stringify(raw) ?? String(raw);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
