import { resolve } from "node:path";
import type { RegisteredReportType } from "@reports/core/report";
import {
  ConfigurationError,
  readEnvironment,
  reportTypeChoiceOf,
  reportTypeRules,
  reportTypeVariables,
} from "@reports/runtime";
import { loadReportTypes, ReportTypesError, typesEnvironment } from "@reports/type-loader";
import type { Environment } from "./development-environment.ts";
import { StartFailure } from "./start-failure.ts";

/** Which report types there will be, and whose authorities they need. */
export interface StartedReportTypes {
  readonly types: readonly RegisteredReportType[];
  /** Of every type, also where AUTH_REPORT_AUTHORITIES gives it another one. */
  readonly authorities: readonly string[];
  /** For the processes, which work in another folder. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Loads the report types that the environment names, as API and worker will. REPORT_TYPES_DIR is relative to the folder in which the
 * command was called, and is that folder unless it is set. Rejects with StartFailure, which lists everything that is wrong.
 */
export async function readReportTypes(given: Environment): Promise<StartedReportTypes> {
  // npm runs its scripts in the package's folder, and says where it was called.
  const directory = resolve(given.INIT_CWD ?? process.cwd(), given.REPORT_TYPES_DIR ?? "");
  const environment = { REPORT_TYPES_DIR: directory };
  try {
    const config = readEnvironment(
      reportTypeVariables,
      { ...given, ...environment },
      reportTypeRules(reportTypeVariables),
    );
    const types = await loadReportTypes(reportTypeChoiceOf(config), {
      environment: typesEnvironment(given, config.reportTypesEnvironmentPrefix),
    });
    const others = (given.AUTH_REPORT_AUTHORITIES ?? "").split(",").flatMap((pair) => pair.split("=")[1]?.trim() ?? []);
    return { types, authorities: [...types.map(({ authority }) => authority), ...others], environment };
  } catch (error) {
    if (error instanceof ReportTypesError || error instanceof ConfigurationError)
      throw new StartFailure(error.message, 78);
    throw error;
  }
}
