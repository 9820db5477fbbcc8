import { parseArgs } from "node:util";
import { createCatalogue } from "@reports/core";
import {
  ConfigurationError,
  configurationExitCode,
  readEnvironment,
  reportTypeRules,
  reportTypeVariables,
} from "@reports/runtime";
import { loadTypes } from "../load-types.ts";

const help = `Usage: node dist/commands/check-report-types.js MODULE...

Loads packages of report types as the API does at its start, and prints their types with version, authority and formats. The worker's
command of this name makes reports of them as well. It needs no database. REPORT_TYPES_DIR, BUILT_IN_REPORT_TYPES and
REPORT_TYPES_ENV_PREFIX mean what they mean to the API; its other variables are not read.

Exit codes: 0 they can be loaded, 2 wrong usage, 78 a module cannot be loaded: the API would not start with it.
`;

async function main(): Promise<number> {
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
    if (positionals.length === 0) throw new Error("Which modules?");
    modules = positionals;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  try {
    const environment = { ...process.env, REPORT_TYPES: modules.join(",") };
    const config = readEnvironment(reportTypeVariables, environment, reportTypeRules(reportTypeVariables));
    const types = await loadTypes(config, environment);
    createCatalogue(types.map(({ definition }) => definition));
    for (const { definition, authority } of types) {
      const formats = Object.keys(definition.formats).join(", ");
      process.stdout.write(`${definition.type} (version ${definition.version}), authority ${authority}, ${formats}\n`);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return configurationExitCode;
  }
}

process.exitCode = await main();
