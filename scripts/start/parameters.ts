import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { NpmStartError } from "./npm-start-error.ts";

export interface NpmStartParameters {
  readonly watch: boolean;
  readonly dataDir: string;
  readonly help: boolean;
}

export const npmStartHelpText = `Starts the report gateway: API, worker and, unless DATABASE_URL is set, an embedded Postgres with demo data.

  npm start                     start; Ctrl-C stops everything in order
  npm start -- --data DIR       keep data in DIR instead of .data/
  npm run dev                   start, and restart API or worker when a source changes
  PORT=8080 npm start           any variable of docs/reference/configuration.md beats the development value
  REPORT_TYPES=acme-reports npm start
                                with the report types of a package that is installed in this folder (or in REPORT_TYPES_DIR)
  NO_COLOR=1, FORCE_COLOR=1     lines without or with colours; coloured only at a terminal unless set

Exit codes: 0 stopped, 1 could not start, 78 the configuration is wrong, 130 stopped immediately by a second Ctrl-C.`;

export function parseNpmStartParameters(args: readonly string[], root: string): NpmStartParameters {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { watch: { type: "boolean" }, data: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    return { watch: values.watch ?? false, dataDir: resolve(root, values.data ?? ".data"), help: values.help ?? false };
  } catch (error) {
    throw new NpmStartError(`${(error as Error).message}\n\n${npmStartHelpText}`);
  }
}
