import { GatewayError, type ReportType } from "@reports/client";
import {
  describeTime,
  parseTime,
  parseTimeRange,
  parseTimeRangeEnd,
  type Parsed,
  type TimeRange,
} from "@reports/client/times";
import { readCatalogueFilters } from "../catalogue-filters.ts";
import { usageError } from "../command-error.ts";

export type FilterValues = Readonly<Record<string, readonly string[]>>;

interface Translation {
  readonly readType: () => Promise<ReportType>;
  readonly timezone?: string | undefined;
  readonly say: (line: string) => void;
}

/** Translates words into the API's grammar. `certNotAfter=within 30 days` sets both ends of the range. Throws a CommandError for unknown words. */
export async function translateTimeWords(
  given: FilterValues,
  { readType, timezone, say }: Translation,
): Promise<FilterValues> {
  if (!Object.entries(given).some(([name, values]) => values.some((value) => isMaybeWords(name, value)))) return given;
  const type = await readTypeOrNull(readType);
  if (type === null) return given;
  const known = readCatalogueFilters(type);
  const times = new Set(known.flatMap(({ name, isTime }) => (isTime ? [name] : [])));
  const names = new Set(known.map(({ name }) => name));
  const filters = new Map<string, readonly string[]>();
  const add = (name: string, value: string): void => void filters.set(name, [...(filters.get(name) ?? []), value]);
  const translate = (name: string, time: string): void => {
    const words = describeTime(time, { timezone: timezone ?? "UTC" });
    if (words !== time) say(`${name}=${time}: ${words}`);
    add(name, time);
  };
  const former = (type as Partial<ReportType>).formerNames?.filters ?? {};
  for (const [asGiven, values] of Object.entries(given)) {
    const name = former[asGiven] ?? asGiven;
    const [, base = name, end] = /^(.*)(From|To)$/.exec(name) ?? [];
    const days = known.some((filter) => filter.isDay && (filter.name === name || filter.name === `${name}From`));
    const options = { timezone: timezone ?? "UTC", days, direction: isEnd(type, base) ? "future" : "past" } as const;
    for (const value of values) {
      if (times.has(name) && isGrammar(value)) add(name, value);
      else if (times.has(name)) {
        const rangeEnd: keyof TimeRange = end === "To" ? "to" : "from";
        translate(name, requireParsedOrThrow(`--where ${name}`, parseTimeRangeEnd(value, rangeEnd, options)));
      } else if (!names.has(name) && times.has(`${name}From`) && times.has(`${name}To`)) {
        const { from, to } = requireParsedOrThrow(`--where ${name}`, parseTimeRange(value, options));
        if (from !== undefined) translate(`${name}From`, from);
        if (to !== undefined) translate(`${name}To`, to);
      } else add(name, value);
    }
  }
  return Object.fromEntries(filters);
}

function isMaybeWords(name: string, value: string): boolean {
  if (/(?:From|To)$/.test(name)) return !isGrammar(value);
  return parseTimeRange(value).value !== undefined;
}

function isGrammar(value: string): boolean {
  return parseTime(value).value === value;
}

/** Returns null if the gateway refuses the report type. The start is then refused with a better message. */
async function readTypeOrNull(readType: () => Promise<ReportType>): Promise<ReportType | null> {
  try {
    return await readType();
  } catch (error) {
    if (error instanceof GatewayError && error.status >= 400 && error.status < 500) return null;
    throw error;
  }
}

function isEnd({ columns }: ReportType, base: string): boolean {
  return columns.some(({ key, expires }) => key === base && expires);
}

export function requireParsedOrThrow<T>(flag: string, parsed: Parsed<T>): T {
  if (parsed.wrong === undefined) return parsed.value;
  throw usageError(`${flag}: ${parsed.wrong}`);
}
