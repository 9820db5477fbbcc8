import { awaitUnlessAborted } from "../../base/deadline.ts";
import { StoreUnavailableError, type InputIssue } from "../../base/errors.ts";
import { toJsonPointer } from "../../base/json-pointer.ts";
import { invalidInput } from "../../base/list-issues.ts";
import type { Filter, FilterValuesSource, SearchParam } from "../../query/filters.ts";
import { findNearestName } from "../../query/nearest-name.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";

export interface FilterChoice {
  readonly value: string;
  readonly title: string;
}

/** Maximum number of values of a filter. If its source has more, callers can also use values that are not listed. */
export const maxFilterValues = 1_000;
/** Age of the cached values from which they are read again. Younger values serve all callers. */
const refreshMs = 300_000;
/** Minimum time between two reads of the values of a filter, so that unknown values cause few reads. */
const retryMs = 30_000;
/** Age up to which values are used while their source cannot be read. */
const staleMs = 86_400_000;
const startWaitMs = 2_000;
/** Number of unknown values of a start for which a similar value is searched. Each search takes some milliseconds. */
const maxSuggestions = 2;

export type ReadFilterValues = (
  request: {
    readonly definition: ReportTypeDefinition;
    readonly valuesFrom: FilterValuesSource;
    readonly maxLength: number | undefined;
    readonly limit: number;
  },
  signal: AbortSignal,
) => Promise<readonly FilterChoice[]>;

/** The values of filters with `valuesFrom`, which are read from the sources of report types and kept in memory. */
export interface FilterValues {
  /** Returns the values of a filter. Rejects with StoreUnavailableError if they cannot be read and none are known. */
  list(definition: ReportTypeDefinition, filter: Filter, signal: AbortSignal): Promise<readonly FilterChoice[]>;
  /** Rejects with DomainError("invalid") if a filter has an unknown value. Accepts every value of a filter whose values cannot be read. */
  refuseUnknown(request: {
    readonly definition: ReportTypeDefinition;
    readonly searchParam: SearchParam;
  }): Promise<void>;
}

interface UnknownValue {
  readonly name: string;
  readonly value: string;
  readonly values: ReadonlySet<string>;
}

interface Entry {
  choices: readonly FilterChoice[] | null;
  values: ReadonlySet<string>;
  readAtMs: number;
  triedAtMs: number;
  reading: Promise<void> | null;
}

export function createFilterValues(
  read: ReadFilterValues,
  nowMs: () => number = () => performance.now(),
): FilterValues {
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
      const request = { definition, valuesFrom: valuesFrom!, maxLength, limit: maxFilterValues + 1 };
      const choices = await read(request, new AbortController().signal);
      entry.choices = choices;
      entry.values = new Set(choices.map(({ value }) => value));
      entry.readAtMs = nowMs();
    } catch {
      // The values stay usable until they are too old. The next read is allowed after retryMs.
    } finally {
      entry.reading = null;
    }
  }

  /** Returns values no older than `maxAgeMs`, else older ones, else null. Waits for a read if `mustWait` is set or no usable values exist. */
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
  ): Promise<UnknownValue[]> {
    const signal = AbortSignal.timeout(startWaitMs);
    const unknownIn = (entry: Entry | null): readonly string[] =>
      entry === null || entry.values.size > maxFilterValues ? [] : given.filter((value) => !entry.values.has(value));
    let entry = await current(definition, filter, { maxAgeMs: refreshMs, mustWait: false, signal });
    // The value can have been added after the last read, so the values are read again.
    if (unknownIn(entry).length > 0)
      entry = await current(definition, filter, { maxAgeMs: retryMs, mustWait: true, signal });
    return unknownIn(entry).map((value) => ({ name: filter.name, value, values: entry!.values }));
  }

  return {
    async list(definition, filter, signal) {
      const entry = await current(definition, filter, { maxAgeMs: refreshMs, mustWait: false, signal });
      if (entry?.choices === undefined || entry.choices === null)
        throw new StoreUnavailableError(`The values of the filter ${filter.name} cannot be read now.`);
      return entry.choices.slice(0, maxFilterValues);
    },
    async refuseUnknown({ definition, searchParam }) {
      const filters = definition.filters.filter(
        ({ name, valuesFrom }) => valuesFrom && searchParam[name] !== undefined,
      );
      const found = await Promise.all(
        filters.map(async (filter) =>
          findUnknown(definition, filter, [searchParam[filter.name]!].flat().map(String)).catch(() => []),
        ),
      );
      const issues = found.flat().map(unknownValueIssue);
      if (issues.length > 0)
        throw invalidInput("invalid", "invalid-parameters", "The report cannot be started", issues);
    },
  };
}

function unknownValueIssue({ name, value, values }: UnknownValue, found: number): InputIssue {
  const nearest = found < maxSuggestions ? findNearestName(value, [...values]) : undefined;
  const hint = nearest === undefined ? "" : ` Did you mean ${JSON.stringify(nearest)}?`;
  const message = `${name}: there is no value ${JSON.stringify(value.slice(0, 60).toWellFormed())}.${hint} The values of the filter are listed under the report type.`;
  return { pointer: toJsonPointer(["searchParam", name]), code: "unknown_value", message };
}
