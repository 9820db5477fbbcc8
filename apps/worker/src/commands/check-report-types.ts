import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  reportFormats,
  reportSourceEngines,
  type RegisteredReportType,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { runReportTypesCheck } from "@reports/type-loader/deployment";
import { renderGeneratedRows } from "../check-types/render-generated-rows.ts";
import { maxCheckedRowsPerType } from "../check-types/render-real-rows.ts";
import { isSourceCheckRequested, runSourceCheck, sourceCheckFlags } from "../check-types/compose-source-check.ts";
import { printErrorWithExitCode, formatErrorWithCauses, printTextWithExitCode } from "./command-line.ts";

const helpText = `Usage: check-report-types MODULE...
       check-report-types MODULE... --source [NAME=]SOURCE... [OPTION]...

Loads packages of report types as a worker does at its start, and makes reports of 0, 1 and 1,000 generated rows of each of their types in
each of its formats, hostile text among them. It needs no database and no store: it does not read the rows of the types.
REPORT_TYPES_DIR, BUILT_IN_REPORT_TYPES and REPORT_TYPES_ENV_PREFIX mean what they mean to the worker; its other variables are not read.

With --source or --out, it checks the types with their data instead. It compares each view or function with its definition as a worker does
at its start, and the views of valuesFrom as well. It explains the query of a report without filters and with each filter alone. It reads at
most ${maxCheckedRowsPerType.toLocaleString("en")} rows of each type, and renders them in each of its formats. It only reads.

  --source SOURCE       the database of the types: env:VARIABLE, file:PATH, or a URL without a password. postgres://user:password@host/database
                        in a variable or a file stays out of the list of processes
  --source NAME=SOURCE  the same for one of several sources, by its name in the definitions (main if they name none)
  --engine [NAME=]NAME  engine of a source: ${reportSourceEngines.join(", ")}; ${reportSourceEngines[0]} by default
  --where NAME=VALUE    a filter of every report, such as state=OPEN. It can be repeated
  --out FOLDER          keeps the files in this folder and replaces files of the same names
  --timezone ZONE, --locale TAG  time zone and locale of the files. Repeat them for more files. The first zone belongs to the first locale.
                        UTC with en-GB, and America/New_York with de-DE by default
  --json                prints the results as JSON

Exit codes: 0 every report was made, or every type fits; 1 one was not, or does not; 2 wrong usage; 69 a source cannot be reached or refuses the
connection, and no type differs; 78 a module cannot be loaded: a worker would not start with it.
`;

const testedRowCounts = [0, 1, 1_000] as const;

async function checkTypes(types: readonly RegisteredReportType[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "check-report-types-"));
  try {
    let failures = 0;
    for (const type of types) failures += await checkType(type, folder);
    return failures === 0
      ? printTextWithExitCode("Every report was made.\n", 0)
      : printErrorWithExitCode(`${failures} reports were not made.`, 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkType({ definition, authority }: RegisteredReportType, folder: string): Promise<number> {
  printTextWithExitCode(
    `${definition.type} (version ${definition.version}), authority ${authority}, ${describeRows(definition)}\n`,
    0,
  );
  let failures = 0;
  for (const format of reportFormats.filter((each) => definition.formats[each] !== undefined)) {
    const most = definition.formats[format]!.maxRows;
    for (const count of new Set(testedRowCounts.map((rows) => Math.min(rows, most)))) {
      const start = performance.now();
      try {
        const { rowCount, sizeBytes } = await renderGeneratedRows(definition, format, count, folder);
        const durationMs = Math.round(performance.now() - start);
        printTextWithExitCode(
          `  ${format.padEnd(6)} ${row(rowCount, "rows")} ${row(sizeBytes, "bytes")} ${row(durationMs, "ms")}\n`,
          0,
        );
      } catch (error) {
        failures += 1;
        printErrorWithExitCode(
          `  ${format.padEnd(6)} ${row(count, "rows")} was not made: ${formatErrorWithCauses(error)}`,
          1,
        );
      }
    }
  }
  return failures;
}

function row(amount: number, unit: string): string {
  return `${amount.toLocaleString("en")} ${unit}`.padStart(16);
}

function describeRows({ rows }: ReportTypeDefinition): string {
  if (rows.kind === "objects") return "rows from its own function";
  return rows.kind === "view" ? `rows from ${rows.view} of ${rows.source ?? "main"}` : `rows from ${rows.relation}`;
}

const exitCode = await runReportTypesCheck({
  help: helpText,
  flags: sourceCheckFlags,
  check: async (types, flags, environment) =>
    isSourceCheckRequested(flags) ? runSourceCheck(types, flags, environment) : checkTypes(types),
});
// Functions of types can leave connections open, which would keep the process alive.
process.exit(exitCode);
