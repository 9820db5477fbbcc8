import type { Clock, IdMaker } from "@reports/core/base";
import type { Domain } from "@reports/core/inventory";
import type { InventoryCounts, InventoryKeyReader } from "@reports/db";
import { InventoryRefusedError, type InventoryFileProblem, type ReportRowProblem } from "./inventory-file-problem.ts";
import { createProxyIndex } from "./proxy-index.ts";
import { readCsv, CsvParseError } from "./read-csv.ts";
import { domainCsvTableRules, readDomains } from "./read-domains.ts";
import { proxyCsvTableRules, readProxies } from "./read-proxies.ts";
import { readTable, type CsvTableRow, type CsvTableRules } from "./read-table.ts";

export interface InventoryLoadProgress extends InventoryCounts {
  readonly bytesRead: number;
}

export interface LoadInventoryDeps {
  readonly databaseUrl: string;
  readonly store: InventoryKeyReader;
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly signal: AbortSignal;
  readonly report: (problem: InventoryFileProblem) => void;
  readonly onProgress: (progress: InventoryLoadProgress) => void;
}

/**
 * Loads all files into the inventory, or none of them. After the first invalid row, it only looks for other invalid rows. Rejects with
 * InventoryRefusedError, and with the errors of copyIntoInventory.
 */
export async function loadInventory(
  files: { readonly proxies: string | null; readonly domains: string | null },
  deps: LoadInventoryDeps,
): Promise<InventoryCounts> {
  const proxyIndex = createProxyIndex(await deps.store.proxyKeys());
  let problems = 0;
  let progress: InventoryLoadProgress = { bytesRead: 0, proxies: 0, domains: 0 };
  const advance = (change: Partial<InventoryLoadProgress>): void => {
    progress = { ...progress, ...change };
    deps.onProgress(progress);
  };
  async function* readFile<T>(
    file: string | null,
    rules: CsvTableRules,
    read: (rows: AsyncIterable<CsvTableRow>, report: ReportRowProblem) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    if (file === null) return;
    const report: ReportRowProblem = (problem) => {
      problems += 1;
      deps.report({ file, ...problem });
    };
    const records = readCsv(file, (bytes) => advance({ bytesRead: progress.bytesRead + bytes }), deps.signal);
    try {
      for await (const record of read(readTable(records, rules, report), report)) if (problems === 0) yield record;
    } catch (error) {
      if (!(error instanceof CsvParseError)) throw error;
      report({ line: error.line, reason: error.message });
      throw new InventoryRefusedError(problems);
    }
  }
  const proxies = readFile(files.proxies, proxyCsvTableRules, (rows, report) =>
    readProxies(rows, { ...deps, proxyIndex, report }),
  );
  async function* domains(): AsyncGenerator<Domain> {
    yield* readFile(files.domains, domainCsvTableRules, (rows, report) =>
      readDomains(rows, { ...deps, proxyIndex, report }),
    );
    // The error is thrown inside the transaction, so that Postgres rolls it back.
    if (problems > 0) throw new InventoryRefusedError(problems);
  }
  // @reports/db is imported only here, because --help does not need it, and loading it takes longest.
  const { copyIntoInventory } = await import("@reports/db");
  return copyIntoInventory({
    databaseUrl: deps.databaseUrl,
    proxies,
    domains: domains(),
    signal: deps.signal,
    onProgress: advance,
  });
}
