import { resolve } from "node:path";
import type { RegisteredReportType } from "@reports/core/report";
import {
  ConfigurationError,
  readEnvironment,
  reportTypeChoiceOf,
  reportTypeVariableRules,
  reportTypeVariables,
} from "@reports/runtime";
import { loadReportTypes, ReportTypesError, selectReportTypeEnvironment } from "@reports/type-loader";
import type { NpmStartEnvironment } from "./development-environment.ts";
import { NpmStartError } from "./npm-start-error.ts";

export interface NpmStartReportTypes {
  readonly types: readonly RegisteredReportType[];
  /** Authorities that the report types require. AUTH_REPORT_AUTHORITIES can assign others than the types declare. */
  readonly authorities: readonly string[];
  /** Variables with absolute paths. The caller's relative paths would be wrong in the folder in which the API and the worker run. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function readNpmStartReportTypes(given: NpmStartEnvironment): Promise<NpmStartReportTypes> {
  // npm runs scripts in the folder of the package. INIT_CWD is the folder from which the user called npm.
  const directory = resolve(given.INIT_CWD ?? process.cwd(), given.REPORT_TYPES_DIR ?? "");
  const environment = { REPORT_TYPES_DIR: directory };
  try {
    const config = readEnvironment(
      reportTypeVariables,
      { ...given, ...environment },
      reportTypeVariableRules(reportTypeVariables),
    );
    const types = await loadReportTypes(reportTypeChoiceOf(config), {
      environment: selectReportTypeEnvironment(given, config.reportTypesEnvironmentPrefix),
    });
    const others = (given.AUTH_REPORT_AUTHORITIES ?? "").split(",").flatMap((pair) => pair.split("=")[1]?.trim() ?? []);
    return { types, authorities: [...types.map(({ authority }) => authority), ...others], environment };
  } catch (error) {
    if (error instanceof ReportTypesError || error instanceof ConfigurationError)
      throw new NpmStartError(error.message, 78);
    throw error;
  }
}
