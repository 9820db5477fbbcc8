import type { RegisteredReportType, ReportTypeDefinition } from "@reports/core/report";
import { compareReportViews, databaseConnectionFunctions, openQueryPlanReader } from "@reports/db";
import { createMultiSourceReader } from "@reports/db/report-rows";
import { redirectStdoutToStderr } from "@reports/type-loader";
import type { ReportTypesCheckFlags } from "@reports/type-loader/deployment";
import { printErrorWithExitCode, printTextWithExitCode } from "../commands/command-line.ts";
import { checkSources, type SourceCheckResult, type SourceCheckOptions } from "./check-sources.ts";
import { describeSourceCheck, toSourceCheckJson } from "./describe-check.ts";
import { parseStartInput, readWhereFlag } from "./list-query-plan-cases.ts";
import type { TimezoneAndLocale } from "./render-real-rows.ts";
import { readSourceFlags, containsPassword } from "./source-check-flags.ts";

/** Exit code if a source cannot be reached (EX_UNAVAILABLE of sysexits.h). */
const unreachableExitCode = 69;
const planTimeoutMs = 10_000;
const timeLimitMs = 60_000;

export const sourceCheckFlags = {
  source: { type: "string", multiple: true },
  engine: { type: "string", multiple: true },
  where: { type: "string", multiple: true },
  out: { type: "string" },
  timezone: { type: "string", multiple: true },
  locale: { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

export function isSourceCheckRequested({ source, out }: ReportTypesCheckFlags): boolean {
  return source !== undefined || out !== undefined;
}

/**
 * Checks types with their sources, prints the results and returns the exit code. Throws UsageError for wrong flags. `environment` holds the variables
 * that a renderer gets. This process loses all others except TMPDIR, so that row functions run as in a worker.
 */
export async function runSourceCheck(
  types: readonly RegisteredReportType[],
  flags: ReportTypesCheckFlags,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const definitions = types.map(({ definition }) => definition);
  const source = textsOf(flags["source"]);
  const sources = readSourceFlags(
    definitions,
    { source, engine: textsOf(flags["engine"]) },
    {
      environment: process.env,
      findUrlProblem: (url) => databaseConnectionFunctions.findAddressProblems({ url })[0]?.message ?? null,
    },
  );
  if (source.some(containsPassword))
    printErrorWithExitCode(
      "The password in --source is visible in the list of processes. Use env:VARIABLE or file:PATH.",
      0,
    );
  const variants = readVariants(definitions[0], textsOf(flags["timezone"]), textsOf(flags["locale"]));
  const where = readWhereFlag(textsOf(flags["where"]), definitions);
  const settings: SourceCheckOptions = {
    compare: async () => compareReportViews(definitions, sources, { withFilterValues: true }),
    openPlans: async (name) => openQueryPlanReader(sources[name]!, { timeoutMs: planTimeoutMs }),
    rowSource: createMultiSourceReader(sources),
    where,
    variants,
    out: typeof flags["out"] === "string" ? flags["out"] : null,
    timeLimitMs,
  };
  hideVariables(environment);
  const isJson = flags["json"] === true;
  // Functions of types can print. Their output is redirected, so that standard output contains only the JSON.
  const restoreOutput = isJson ? redirectStdoutToStderr() : () => undefined;
  const all: SourceCheckResult[] = [];
  for await (const checked of checkSources(types, settings)) {
    all.push(checked);
    if (!isJson) printTextWithExitCode(describeSourceCheck(checked), 0);
  }
  restoreOutput();
  const exitCode = exitCodeOf(all);
  if (isJson)
    return printTextWithExitCode(
      `${JSON.stringify({ exitCode, types: all.map(toSourceCheckJson) }, null, 2)}\n`,
      exitCode,
    );
  return printTextWithExitCode(`${summaryOf(all)}\n`, exitCode);
}

/** Removes the variables that renderer processes do not get, such as those with passwords. Row functions then run as in a worker. */
function hideVariables(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(environment, name) && name !== "TMPDIR") delete process.env[name];
}

/** Pairs the nth time zone with the nth locale. The shorter list repeats. Throws UsageError for an invalid value. */
function readVariants(
  definition: ReportTypeDefinition | undefined,
  timezones: readonly string[],
  locales: readonly string[],
): readonly TimezoneAndLocale[] {
  if (definition === undefined) return [];
  const zones = timezones.length > 0 ? timezones : ["UTC", "America/New_York"];
  const tags = locales.length > 0 ? locales : ["en-GB", "de-DE"];
  return Array.from({ length: Math.max(zones.length, tags.length) }, (_, index) => {
    const options = [
      ["timezone", zones[index % zones.length]!],
      ["locale", tags[index % tags.length]!],
    ] as const;
    return parseStartInput({ ...definition, filters: [] }, [], options).options;
  });
}

function exitCodeOf(all: readonly SourceCheckResult[]): number {
  if (all.some(({ differences }) => differences.length > 0)) return 1;
  return all.some(({ unreachable }) => unreachable !== null) ? unreachableExitCode : 0;
}

function summaryOf(all: readonly SourceCheckResult[]): string {
  const differing = all.filter(({ differences }) => differences.length > 0).length;
  const unreachable = all.filter((each) => each.unreachable !== null).length;
  if (differing + unreachable === 0) return "Every report type fits.";
  return [
    ...(differing === 0 ? [] : [`${differing} of ${all.length} report types do not fit.`]),
    ...(unreachable === 0 ? [] : [`${unreachable} of ${all.length} report types could not be compared.`]),
  ].join(" ");
}

function textsOf(flag: ReportTypesCheckFlags[string]): readonly string[] {
  return Array.isArray(flag) ? flag.filter((each): each is string => typeof each === "string") : [];
}
