import type { ReportStart } from "@reports/client";
import { CommandError } from "../command-error.ts";
import { exitCodes } from "../exit-code.ts";
import { safeJson } from "../output/safe-text.ts";
import { readFields } from "./field-flags.ts";
import { startFlags, type StartFlagValues } from "./start-flags.ts";

/** Returns the body of a start. The service checks filters and options, because only it knows the report type. */
export function readStartInput(
  reportType: string,
  flags: StartFlagValues & { readonly where?: readonly string[] },
): ReportStart {
  return { reportType, ...toFilters(flags.where ?? []), ...readFields(startFlags, flags) };
}

/** Parses `--where severity=EXPIRED --where severity=CRITICAL`. Several values of one filter are alternatives. */
export function toFilters(conditions: readonly string[]): {
  readonly searchParam?: Readonly<Record<string, string[]>>;
} {
  if (conditions.length === 0) return {};
  const filters = new Map<string, string[]>();
  for (const condition of conditions) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(condition) ?? [];
    if (name === undefined || value === undefined)
      throw new CommandError(exitCodes.usage, `--where takes FILTER=VALUE, and was given ${safeJson(condition)}.`);
    filters.set(name, [...(filters.get(name) ?? []), value]);
  }
  return { searchParam: Object.fromEntries(filters) };
}
