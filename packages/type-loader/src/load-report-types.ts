import { builtInRegistrations, toSchemaNamePrefix, type RegisteredReportType } from "@reports/core/report";
import { checkReportTypeModule, describeImportTimeout } from "./check-report-type-module.ts";
import { redirectStdoutToStderr } from "./redirect-stdout-to-stderr.ts";
import { importReportTypeModule, type ModuleImportResult } from "./import-report-type-module.ts";
import { isModuleName, moduleNameRule } from "./module-name.ts";
import { ReportTypesError, type ReportTypesProblem } from "./report-types-error.ts";

export interface ReportTypeChoice {
  /** Names of modules whose default export comes from `defineReportTypes`. */
  readonly modules: readonly string[];
  readonly directory: string;
  readonly builtIn: boolean;
}

export interface LoadReportTypesOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Time limit of each module's import. Default: 10,000 ms. */
  readonly timeoutMs?: number;
}

const trialTimeoutMs = 10_000;
/**
 * Time limit of an import in this process, in milliseconds. It is longer than `trialTimeoutMs`, because all processes of a machine may start and
 * import at the same time.
 */
const importTimeoutMs = 60_000;
const builtInName = "the built-in types (BUILT_IN_REPORT_TYPES)";

type ResultsByModule<Result> = readonly (readonly [name: string, result: Result])[];

/**
 * Loads the built-in report types, then those of the modules in the given order. First imports each module in a separate process, so that a
 * module that loops, exits or throws is only reported. Without modules, starts no process. Rejects with ReportTypesError, which lists the
 * problems of all modules.
 */
export async function loadReportTypes(
  choice: ReportTypeChoice,
  { environment, timeoutMs = trialTimeoutMs }: LoadReportTypesOptions,
): Promise<readonly RegisteredReportType[]> {
  const wellNamed = [...new Set(choice.modules.filter(isModuleName))];
  const verdicts = await runForEachModule(wellNamed, async (name) =>
    checkReportTypeModule(name, { directory: choice.directory, environment, timeoutMs }),
  );
  throwIfProblems([
    ...findInvalidNames(choice.modules),
    ...collectProblems(verdicts),
    ...findRepeatedNames([
      ...builtInTypes(choice),
      ...verdicts.map(([name, verdict]) => [name, verdict.ok ? verdict.types : []] as const),
    ]),
  ]);
  return importReportTypes(choice);
}

/** Imports modules in this process, each within `timeoutMs` (default 60,000). Rejects with ReportTypesError. */
export async function importReportTypes(
  choice: ReportTypeChoice,
  timeoutMs = importTimeoutMs,
): Promise<readonly RegisteredReportType[]> {
  const restore = redirectStdoutToStderr();
  const results = await runForEachModule(choice.modules, async (name) => {
    const late = Promise.withResolvers<ModuleImportResult>();
    const problems = [describeImportTimeout(timeoutMs)];
    const timer = setTimeout(() => late.resolve({ ok: false, problems, isHostFailure: true }), timeoutMs);
    const result = await Promise.race([importReportTypeModule(name, choice.directory), late.promise]);
    clearTimeout(timer);
    return result;
  }).finally(restore);
  const isHostFailure = results.some(([, result]) => result.isHostFailure);
  throwIfProblems(collectProblems(results), isHostFailure);
  const builtIn = choice.builtIn ? builtInRegistrations.reportTypes : [];
  return [...builtIn, ...results.flatMap(([, result]) => (result.ok ? result.reportTypes : []))];
}

async function runForEachModule<Result>(names: readonly string[], work: (name: string) => Promise<Result>) {
  return Promise.all(names.map(async (name) => [name, await work(name)] as const));
}

function collectProblems(
  results: ResultsByModule<{ readonly ok: true } | { readonly ok: false; readonly problems: readonly string[] }>,
) {
  return results.flatMap(([name, result]) => (result.ok ? [] : result.problems.map((text) => toProblem(name, text))));
}

function findInvalidNames(names: readonly string[]): readonly ReportTypesProblem[] {
  return names.flatMap((name, index) => [
    ...(isModuleName(name) ? [] : [toProblem(name, `this is not ${moduleNameRule}.`)]),
    ...(names.indexOf(name) < index ? [toProblem(name, "it is named twice.")] : []),
  ]);
}

function builtInTypes({ builtIn }: ReportTypeChoice): ResultsByModule<readonly string[]> {
  return builtIn ? [[builtInName, builtInRegistrations.reportTypes.map(({ definition }) => definition.type)]] : [];
}

function findRepeatedNames(sources: ResultsByModule<readonly string[]>): readonly ReportTypesProblem[] {
  const bySchemaName = new Map<string, { readonly type: string; readonly from: string }>();
  return sources.flatMap(([name, types]) =>
    types.flatMap((type) => {
      const schemaName = toSchemaNamePrefix({ type });
      const before = bySchemaName.get(schemaName);
      bySchemaName.set(schemaName, { type, from: name });
      if (before === undefined) return [];
      if (before.type === type) return [toProblem(name, `${type} is already a type of ${before.from}.`)];
      return [
        toProblem(name, `${type} and ${before.type} of ${before.from} have the same name in OpenAPI, ${schemaName}.`),
      ];
    }),
  );
}

function toProblem(name: string, text: string): ReportTypesProblem {
  return { variable: "REPORT_TYPES", message: `${name}: ${text}` };
}

function throwIfProblems(problems: readonly ReportTypesProblem[], isHostFailure = false): void {
  if (problems.length > 0) throw new ReportTypesError(problems, isHostFailure);
}
