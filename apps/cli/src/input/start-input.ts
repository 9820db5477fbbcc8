import type { ReportStart } from "@reports/client";
import type { CommandContext } from "../command-context.ts";
import { usageError } from "../command-error.ts";
import { toSafeJson, toSafeText } from "../output/to-safe-text.ts";
import { toFieldValues } from "./options-by-field.ts";
import { translateTimeWords, type FilterValues } from "./time-filters.ts";
import { startFlags, type StartFlagValues } from "./start-flags.ts";

interface WhereFilters {
  readonly searchParam?: Readonly<Record<string, string[]>>;
}

/** Returns the body of a start. Filters and options are not checked here, because only the service knows the report type. */
export function readStartInput(reportType: string, flags: StartFlagValues): ReportStart & WhereFilters {
  return { reportType, ...parseWhereFlags(flags.where), ...toFieldValues(startFlags, flags) };
}

/** Returns the body of a start, with times in words translated. Days begin in `timezone`, by default in that of the report. */
export async function readStartInputWithTimeWords(
  context: CommandContext,
  reportType: string,
  flags: StartFlagValues,
  timezone = flags.timezone,
): Promise<ReportStart> {
  const input = readStartInput(reportType, flags);
  const { searchParam } = input;
  if (searchParam === undefined) return input;
  return { ...input, searchParam: await translateFilterTimeWords(context, reportType, searchParam, timezone) };
}

export async function translateFilterTimeWords(
  context: CommandContext,
  reportType: string,
  filters: FilterValues,
  timezone: unknown,
): Promise<FilterValues> {
  return translateTimeWords(filters, {
    readType: async () => context.gateway().reportTypes.get(reportType, { signal: context.signal }),
    timezone: typeof timezone === "string" ? timezone : undefined,
    say: (line) => context.output.say(toSafeText(line)),
  });
}

/** Parses `--where severity=EXPIRED --where severity=CRITICAL`. Several values of one filter are alternatives. */
export function parseWhereFlags(conditions: readonly string[] = []): WhereFilters {
  if (conditions.length === 0) return {};
  const filters = new Map<string, string[]>();
  for (const condition of conditions) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(condition) ?? [];
    if (name === undefined || value === undefined)
      throw usageError(`--where takes FILTER=VALUE, and was given ${toSafeJson(condition)}.`);
    filters.set(name, [...(filters.get(name) ?? []), value]);
  }
  return { searchParam: Object.fromEntries(filters) };
}
