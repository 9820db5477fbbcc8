import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { createCatalogue, type RegisteredReportType } from "@reports/core/report";
import {
  ConfigurationError,
  configurationExitCode,
  readEnvironment,
  reportTypeVariableRules,
  reportTypeVariables,
} from "@reports/runtime";
import { selectReportTypeEnvironment } from "../types-environment.ts";
import { loadConfiguredReportTypes } from "./load-configured-report-types.ts";

export type ReportTypesCheckFlags = Readonly<
  Record<string, string | boolean | readonly (string | boolean)[] | undefined>
>;

export interface ReportTypesCheckCommand {
  readonly help: string;
  readonly flags?: ParseArgsOptionsConfig;
  /**
   * Checks the loaded types and returns the exit code of the command. `environment` has the variables that functions of types see. Throws
   * UsageError if the flags have a mistake.
   */
  check(
    types: readonly RegisteredReportType[],
    flags: ReportTypesCheckFlags,
    environment: Readonly<Record<string, string>>,
  ): Promise<number>;
}

/** A mistake of a command line, which ends the command with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Runs `check-report-types MODULE...`. Returns the exit code of `check`, 2 for wrong usage, or 78 if a module can't be loaded. */
export async function runReportTypesCheck({ help, flags = {}, check }: ReportTypesCheckCommand): Promise<number> {
  try {
    const { help: isHelp, modules, values } = readArguments(flags);
    if (isHelp) {
      process.stdout.write(help);
      return 0;
    }
    if (modules.length === 0) {
      process.stderr.write(help);
      return 2;
    }
    const { types, environment } = await loadModules(modules);
    return await check(types, values, environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof UsageError ? 2 : configurationExitCode;
  }
}

function readArguments(flags: ParseArgsOptionsConfig) {
  try {
    const options = { ...flags, help: { type: "boolean", short: "h" } } as const satisfies ParseArgsOptionsConfig;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const { help, ...others } = values;
    return { help: help === true, modules: positionals, values: others as ReportTypesCheckFlags };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nSee check-report-types --help.`);
  }
}

/**
 * Loads the given modules with the built-in types, so that a type with the name of a built-in one is refused. Returns only the types of the
 * modules.
 */
async function loadModules(modules: readonly string[]) {
  const variables = { ...process.env, REPORT_TYPES: modules.join(",") };
  const config = readEnvironment(reportTypeVariables, variables, reportTypeVariableRules(reportTypeVariables));
  const environment = selectReportTypeEnvironment(variables, config.reportTypesEnvironmentPrefix);
  const loaded = await loadConfiguredReportTypes(config, environment);
  createCatalogue(loaded.map(({ definition }) => definition));
  const builtIn = await loadConfiguredReportTypes({ ...config, reportTypes: [] }, {});
  return { types: loaded.slice(builtIn.length), environment };
}
