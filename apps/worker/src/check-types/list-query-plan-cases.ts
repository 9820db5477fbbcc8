import { startInputFromQuery, type ReportTypeDefinition, type StartInput } from "@reports/core/report";
import { DomainError } from "@reports/core/base";
import { UsageError } from "@reports/type-loader/deployment";

export type NameValuePairs = readonly (readonly [name: string, value: string])[];

export type FindSampleValue = (column: string) => string | undefined;

type Filter = ReportTypeDefinition["filters"][number];

/** A start whose query is explained. `filters` holds names without values, because a value may be real data. */
export interface QueryPlanCase {
  readonly filters: readonly string[];
  readonly input: StartInput | null;
}

/** Reads the `NAME=VALUE` texts of `--where`. Throws UsageError if no type has the filter, or a type that has it refuses the value. */
export function readWhereFlag(given: readonly string[], definitions: readonly ReportTypeDefinition[]): NameValuePairs {
  const pairs = given.map((each) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(each) ?? [];
    if (name === undefined || value === undefined) throw new UsageError("--where must be NAME=VALUE.");
    if (!definitions.some((definition) => hasFilter(definition, name)))
      throw new UsageError(`--where ${name}: no report type has this filter.`);
    return [name, value] as const;
  });
  for (const definition of definitions) {
    const filters = definition.filters.filter(({ name }) => pairs.some(([each]) => each === name));
    parseStartInput({ ...definition, filters }, pairsOf(definition, pairs), []);
  }
  return pairs;
}

function hasFilter({ filters }: ReportTypeDefinition, name: string): boolean {
  return filters.some((filter) => filter.name === name);
}

function pairsOf(definition: ReportTypeDefinition, pairs: NameValuePairs): NameValuePairs {
  return pairs.filter(([name]) => hasFilter(definition, name));
}

export function addMissingRequiredFilters(
  definition: ReportTypeDefinition,
  where: NameValuePairs,
  findSample: FindSampleValue,
): NameValuePairs {
  const given = pairsOf(definition, where);
  const missing = definition.filters.filter(
    (filter) => filter.required === true && !given.some(([name]) => name === filter.name),
  );
  return [...given, ...missing.map((filter) => [filter.name, sampleValue(filter, findSample)] as const)];
}

export function parseStartInput(
  definition: ReportTypeDefinition,
  filters: NameValuePairs,
  options: NameValuePairs,
): StartInput {
  const pairs = [...filters.map(([name, value]) => [`searchParam[${name}]`, value] as const), ...options];
  try {
    return startInputFromQuery(definition, pairs, new Date());
  } catch (error) {
    if (error instanceof DomainError) throw new UsageError(`${definition.type}: ${error.message}`);
    throw error;
  }
}

export function listQueryPlanCases(
  definition: ReportTypeDefinition,
  base: NameValuePairs,
  findSample: FindSampleValue,
): readonly QueryPlanCase[] {
  const first = parseStartInput(definition, base, []);
  const others = definition.filters.filter(({ name }) => !Object.hasOwn(first.searchParam, name));
  return [
    { filters: Object.keys(first.searchParam), input: first },
    ...others.map((filter) => ({
      filters: [filter.name],
      input: parseStartInputOrNull(definition, [...base, [filter.name, sampleValue(filter, findSample)]]),
    })),
  ];
}

export function parseStartInputOrNull(definition: ReportTypeDefinition, pairs: NameValuePairs): StartInput | null {
  try {
    return parseStartInput(definition, pairs, []);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

export function listColumnsToSample({ filters }: ReportTypeDefinition): readonly string[] {
  return [...new Set(filters.flatMap(({ columns }) => columns.slice(0, 1)))];
}

const fallbacks: Readonly<Record<Filter["value"], string>> = {
  text: "sample",
  enum: "",
  integer: "1",
  decimal: "1",
  boolean: "true",
  timestamp: "2026-01-01T00:00:00Z",
  time: "12:00:00",
  date: "2026-01-01",
  uuid: "00000000-0000-4000-8000-000000000000",
  hostname: "sample.example",
};
/** Sample length of a `contains` filter: long enough for a trigram index, which needs three characters. */
const containedLength = 4;

function sampleValue(
  { operator, value, values, columns: [column], min, maxLength }: Filter,
  findSample: FindSampleValue,
): string {
  if (operator === "empty" || value === "boolean") return "true";
  if (value === "enum") return values?.[0] ?? "";
  const fallback = min === undefined ? fallbacks[value] : String(min);
  const found = column === undefined ? undefined : findSample(column);
  if (found === undefined) return fallback;
  switch (value) {
    case "timestamp":
      return readInstant(found)?.toISOString() ?? fallback;
    case "integer":
      return found.split(".")[0]!;
    case "text":
      return [...found].slice(0, operator === "contains" ? containedLength : (maxLength ?? Infinity)).join("");
    default:
      return found;
  }
}

/** Parses a time or a day as Postgres writes it in UTC. Returns null for `infinity` and for years outside 1 to 9999. */
function readInstant(text: string): Date | null {
  const instant = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : text.replace(" ", "T").replace(/\+00$/, "Z"));
  return Number.isNaN(instant.getTime()) ? null : instant;
}
