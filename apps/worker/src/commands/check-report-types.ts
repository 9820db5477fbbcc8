import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportFormats, type RegisteredReportType, type ReportTypeDefinition } from "@reports/core/report";
import { runTypesCheck } from "@reports/type-loader/deployment";
import { renderGenerated } from "../check-types/render-generated.ts";
import { printError, errorMessageWithCauses, say } from "./command-line.ts";

const helpText = `Usage: check-report-types MODULE...

Loads packages of report types as a worker does at its start, and makes reports of 0, 1 and 1,000 generated rows of each of their types in
each of its formats, hostile text among them. It needs no database and no store: it does not read the rows of the types.
REPORT_TYPES_DIR, BUILT_IN_REPORT_TYPES and REPORT_TYPES_ENV_PREFIX mean what they mean to the worker; its other variables are not read.

Exit codes: 0 every report was made, 1 one was not, 2 wrong usage, 78 a module cannot be loaded: a worker would not start with it.
`;

const testedRowCounts = [0, 1, 1_000] as const;

/** Renders reports of every type and prints the result of each. Returns the exit code. */
async function checkTypes(types: readonly RegisteredReportType[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "check-report-types-"));
  try {
    let failures = 0;
    for (const type of types) failures += await checkType(type, folder);
    return failures === 0 ? say("Every report was made.\n", 0) : printError(`${failures} reports were not made.`, 1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function checkType({ definition, authority }: RegisteredReportType, folder: string): Promise<number> {
  say(`${definition.type} (version ${definition.version}), authority ${authority}, ${describeRows(definition)}\n`, 0);
  let failures = 0;
  for (const format of reportFormats.filter((each) => definition.formats[each] !== undefined)) {
    const most = definition.formats[format]!.maxRows;
    for (const count of new Set(testedRowCounts.map((rows) => Math.min(rows, most)))) {
      const start = performance.now();
      try {
        const { rowCount, sizeBytes } = await renderGenerated(definition, format, count, folder);
        const durationMs = Math.round(performance.now() - start);
        say(`  ${format.padEnd(6)} ${row(rowCount, "rows")} ${row(sizeBytes, "bytes")} ${row(durationMs, "ms")}\n`, 0);
      } catch (error) {
        failures += 1;
        printError(`  ${format.padEnd(6)} ${row(count, "rows")} was not made: ${errorMessageWithCauses(error)}`, 1);
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

process.exitCode = await runTypesCheck(helpText, checkTypes);
