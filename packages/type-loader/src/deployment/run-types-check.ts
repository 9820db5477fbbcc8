import { parseArgs } from "node:util";
import { createCatalogue, type RegisteredReportType } from "@reports/core/report";
import {
  ConfigurationError,
  configurationExitCode,
  readEnvironment,
  reportTypeRules,
  reportTypeVariables,
} from "@reports/runtime";
import { typesEnvironment } from "../types-environment.ts";
import { loadTypes } from "./load-types.ts";

/** Runs `check-report-types MODULE...`. Returns the exit code of `check`, 2 for wrong usage, or 78 if a module can't be loaded. */
export async function runTypesCheck(
  help: string,
  check: (types: readonly RegisteredReportType[]) => Promise<number>,
): Promise<number> {
  let modules: readonly string[];
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      process.stdout.write(help);
      return 0;
    }
    modules = positionals;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  if (modules.length === 0) {
    process.stderr.write(help);
    return 2;
  }
  let types: readonly RegisteredReportType[];
  try {
    types = await loadModules(modules);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return configurationExitCode;
  }
  return check(types);
}

/** Also loads the built-in types, to find modules that use their names. */
async function loadModules(modules: readonly string[]): Promise<readonly RegisteredReportType[]> {
  const environment = { ...process.env, REPORT_TYPES: modules.join(",") };
  const config = readEnvironment(reportTypeVariables, environment, reportTypeRules(reportTypeVariables));
  const loaded = await loadTypes(config, typesEnvironment(environment, config.reportTypesEnvironmentPrefix));
  createCatalogue(loaded.map(({ definition }) => definition));
  const builtIn = await loadTypes({ ...config, reportTypes: [] }, {});
  return loaded.slice(builtIn.length);
}
