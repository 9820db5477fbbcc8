import { stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { domainCsvCellReader, proxyCsvCellReader } from "@reports/core/inventory";
import { newId } from "@reports/runtime";
import { CommandExitError, readDatabaseUrl, runCommand, type CommandContext } from "./command-line.ts";
import { formatInventoryCounts } from "./inventory/format-inventory-counts.ts";
import { loadInventory } from "./inventory/load-tables.ts";
import { InventoryRefusedError, type InventoryFileProblem } from "./inventory/inventory-file-problem.ts";
import { createTerminalProgress } from "./terminal-progress.ts";

const help = `Usage: load-inventory proxies.csv domains.csv
       load-inventory --proxies proxies.csv
       load-inventory --domains domains.csv

Adds proxies and their domains to the inventory in the database that DATABASE_URL (or the file in DATABASE_URL_FILE) names.
Everything is loaded, in one transaction, or nothing is; every bad line is listed with its column and the reason.

The files are CSV in UTF-8. The first line holds names of the API's fields, in any order; fields that are left out, and
empty cells, get their defaults. Tags are separated by semicolons. Required are
  proxies   ${proxyCsvCellReader.required.join(", ")}
  domains   proxyName or proxyId, ${domainCsvCellReader.required.join(", ")},
            and where tlsMode is ACME or CUSTOM also certIssuer, certKeyType, certNotBefore, certNotAfter, certFingerprintSha256

Exit codes: 0 loaded, 1 nothing was loaded, 2 wrong usage, 130 interrupted (nothing was loaded).
`;

await runCommand(async ({ args, environment, signal }: CommandContext) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { proxies: { type: "string" }, domains: { type: "string" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) return void process.stdout.write(help);
  const files = chooseFiles(values, positionals);
  const totalBytes = (await readFileSize(files.proxies)) + (await readFileSize(files.domains));
  const databaseUrl = await readDatabaseUrl(environment);
  // @reports/db is imported only here, because --help and wrong usage do not need it, and loading it takes longest.
  const { createDatabase, createInventoryKeyReader } = await import("@reports/db");
  const database = createDatabase({ url: databaseUrl, max: 1, applicationName: "load-inventory", deadlineMs: 60_000 });
  const progress = createTerminalProgress(process.stderr);
  const startedAt = performance.now();
  try {
    const loaded = await loadInventory(files, {
      databaseUrl,
      store: createInventoryKeyReader(database),
      newId,
      now: () => new Date(),
      signal,
      report: (problem) => {
        progress.clear();
        process.stderr.write(`${describeProblem(problem)}\n`);
      },
      onProgress: ({ bytesRead, ...inventory }) =>
        progress.update(bytesRead / totalBytes, formatInventoryCounts(inventory)),
    });
    progress.clear();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`Loaded ${formatInventoryCounts(loaded)} in ${seconds} s.\n`);
  } catch (error) {
    progress.clear();
    if (!(error instanceof InventoryRefusedError)) throw error;
    throw new CommandExitError(
      `Nothing was loaded: ${error.problems === 1 ? "one problem was" : `${error.problems} problems were`} found, listed above.`,
    );
  } finally {
    await database.close();
  }
});

function chooseFiles(
  values: { proxies?: string; domains?: string },
  positionals: readonly string[],
): { proxies: string | null; domains: string | null } {
  const [first, second, ...rest] = positionals;
  const isGiven = values.proxies !== undefined || values.domains !== undefined;
  if (rest.length > 0 || (isGiven ? first !== undefined : second === undefined)) {
    throw new CommandExitError(`Give two files, proxies first, or name one with --proxies or --domains.\n\n${help}`, 2);
  }
  return isGiven
    ? { proxies: values.proxies ?? null, domains: values.domains ?? null }
    : { proxies: first!, domains: second! };
}

async function readFileSize(file: string | null): Promise<number> {
  if (file === null) return 0;
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw new CommandExitError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}

function describeProblem({ file, line, column, reason }: InventoryFileProblem): string {
  return `${file}:${line}: ${column === undefined ? "" : `column ${column}: `}${reason}`;
}
