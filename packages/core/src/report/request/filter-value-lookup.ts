import { awaitUnlessAborted } from "../../base/deadline.ts";
import { SourceUnavailableError, type InputIssue } from "../../base/errors.ts";
import { toJsonPointer } from "../../base/json-object.ts";
import { invalidInputError } from "../../base/truncate-issues.ts";
import type { Filter, FilterValuesSource, SearchParam } from "../../query/filters.ts";
import type { FilterIssueLocator } from "../../query/parse-filters.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import { describeUnknownFilterValue, type FilterChoice, type UnknownFilterValue } from "./unknown-filter-value.ts";

/** Maximum number of values that are listed for a filter. If its source has more, callers can also use other values. */
export const maxListedFilterValues = 1_000;
const refreshMs = 300_000;
/** Minimum time between two reads of the values of a filter, so that unknown values cause few reads. */
const retryMs = 30_000;
/** Age up to which values are used while their source cannot be read. */
const staleMs = 86_400_000;

export type ReadFilterValues = (
  request: {
    readonly definition: ReportTypeDefinition;
    readonly valuesFrom: FilterValuesSource;
    readonly maxLength: number | undefined;
    readonly limit: number;
  },
  signal: AbortSignal,
) => Promise<readonly FilterChoice[]>;

export interface FilterValueLookup {
  /** Returns the values of a filter. Rejects with SourceUnavailableError if they cannot be read and none are known. */
  list(definition: ReportTypeDefinition, filter: Filter, signal: AbortSignal): Promise<readonly FilterChoice[]>;
  findUnknown(request: FilterValuesToCheck, locate: FilterIssueLocator): Promise<readonly InputIssue[]>;
}

export interface FilterValuesToCheck {
  readonly definition: ReportTypeDefinition;
  readonly searchParam: SearchParam;
}

interface Entry {
  choices: readonly FilterChoice[] | null;
  values: ReadonlySet<string>;
  readAtMs: number;
  triedAtMs: number;
  reading: Promise<void> | null;
}

/** Caches the values of filters, which `read` reads from their sources. A check waits at most `waitMs` for a read, and then accepts every value. */
export function createFilterValueCache(
  read: ReadFilterValues,
  { waitMs, nowMs = () => performance.now() }: { readonly waitMs: number; readonly nowMs?: () => number },
): FilterValueLookup {
  const entries = new Map<string, Entry>();

  function entryOf(type: string, name: string): Entry {
    const key = `${type} ${name}`;
    const entry = entries.get(key) ?? {
      choices: null,
      values: new Set(),
      readAtMs: -Infinity,
      triedAtMs: -Infinity,
      reading: null,
    };
    entries.set(key, entry);
    return entry;
  }

  async function readAgain(entry: Entry, definition: ReportTypeDefinition, filter: Filter): Promise<void> {
    entry.triedAtMs = nowMs();
    try {
      const { valuesFrom, maxLength } = filter;
      const request = { definition, valuesFrom: valuesFrom!, maxLength, limit: maxListedFilterValues + 1 };
      const choices = await read(request, new AbortController().signal);
      entry.choices = choices;
      entry.values = new Set(choices.map(({ value }) => value));
      entry.readAtMs = nowMs();
    } catch {
      // If the read fails, the earlier values stay in use until they are older than staleMs. The next read is allowed after retryMs.
    } finally {
      entry.reading = null;
    }
  }

  async function current(
    definition: ReportTypeDefinition,
    filter: Filter,
    { maxAgeMs, mustWait, signal }: { maxAgeMs: number; mustWait: boolean; signal: AbortSignal },
  ): Promise<Entry | null> {
    const entry = entryOf(definition.type, filter.name);
    if (nowMs() - entry.readAtMs >= maxAgeMs && nowMs() - entry.triedAtMs >= retryMs)
      entry.reading ??= readAgain(entry, definition, filter);
    const isUsable = (): boolean => entry.choices !== null && nowMs() - entry.readAtMs < staleMs;
    if (entry.reading !== null && (mustWait || !isUsable())) await awaitUnlessAborted(entry.reading, signal);
    return isUsable() ? entry : null;
  }

  async function findUnknown(
    definition: ReportTypeDefinition,
    filter: Filter,
    given: readonly string[],
  ): Promise<UnknownFilterValue[]> {
    const signal = AbortSignal.timeout(waitMs);
    const unknownIn = (entry: Entry | null): readonly string[] =>
      entry === null || entry.values.size > maxListedFilterValues
        ? []
        : given.filter((value) => !entry.values.has(value));
    let entry = await current(definition, filter, { maxAgeMs: refreshMs, mustWait: false, signal });
    // The value can have been added after the last read, so the values are read again.
    if (unknownIn(entry).length > 0)
      entry = await current(definition, filter, { maxAgeMs: retryMs, mustWait: true, signal });
    return unknownIn(entry).map((value) => ({ name: filter.name, value, choices: entry!.choices! }));
  }

  return {
    async list(definition, filter, signal) {
      const entry = await current(definition, filter, { maxAgeMs: refreshMs, mustWait: false, signal });
      if (entry?.choices === undefined || entry.choices === null) throw new SourceUnavailableError(definition.type);
      return entry.choices.slice(0, maxListedFilterValues);
    },
    async findUnknown({ definition, searchParam }, locate) {
      const filters = definition.filters.filter(
        ({ name, valuesFrom }) => valuesFrom && searchParam[name] !== undefined,
      );
      const found = await Promise.all(
        filters.map(async (filter) => {
          const defaults = [filter.default ?? []].flat();
          const given = [searchParam[filter.name]!].flat().filter((value) => !defaults.includes(value));
          return given.length === 0 ? [] : findUnknown(definition, filter, given.map(String)).catch(() => []);
        }),
      );
      return found.flat().map((unknown, index) => ({
        ...locate(unknown.name),
        code: "unknown_value",
        message: describeUnknownFilterValue(definition.type, unknown, index),
      }));
    },
  };
}

export const locateFilterInBody: FilterIssueLocator = (name) => ({ pointer: toJsonPointer(["searchParam", name]) });
const locateFilterInQuery: FilterIssueLocator = (name) => ({ parameter: `searchParam[${name}]` });

export async function refuseUnknownValues(
  filterValues: Pick<FilterValueLookup, "findUnknown">,
  request: FilterValuesToCheck,
  { readFrom, failure }: { readonly readFrom: "query" | "body"; readonly failure: string },
): Promise<void> {
  const [kind, locate] =
    readFrom === "query" ? (["bad-request", locateFilterInQuery] as const) : (["invalid", locateFilterInBody] as const);
  const issues = await filterValues.findUnknown(request, locate);
  if (issues.length > 0) throw invalidInputError(kind, "invalid-parameters", failure, issues);
}
