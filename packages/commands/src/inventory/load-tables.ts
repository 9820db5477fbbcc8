import type { Clock, IdMaker } from "@reports/core/base";
import type { Proxy, Domain } from "@reports/core/inventory";
import type { InventoryCounts, InventoryKeyReader } from "@reports/db";
import { InventoryRefusedError, type OnInventoryFileProblem } from "./inventory-file-problem.ts";
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
  readonly report: OnInventoryFileProblem;
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
  const report: OnInventoryFileProblem = (problem) => {
    problems += 1;
    deps.report(problem);
  };
  const advance = (change: Partial<InventoryLoadProgress>): void => {
    progress = { ...progress, ...change };
    deps.onProgress(progress);
  };
  const rowsOf = (table: CsvTableRules): AsyncIterable<CsvTableRow> => {
    const records = readCsv(table.file, (bytes) => advance({ bytesRead: progress.bytesRead + bytes }), deps.signal);
    return readTable(records, table, report);
  };
  async function* untilProblem<T>(records: AsyncIterable<T>, file: string): AsyncGenerator<T> {
    try {
      for await (const record of records) if (problems === 0) yield record;
    } catch (error) {
      if (!(error instanceof CsvParseError)) throw error;
      report({ file, line: error.line, reason: error.message });
      throw new InventoryRefusedError(problems);
    }
  }
  async function* proxies(): AsyncGenerator<Proxy> {
    if (files.proxies === null) return;
    yield* untilProblem(
      readProxies(rowsOf(proxyCsvTableRules(files.proxies)), { ...deps, file: files.proxies, proxyIndex, report }),
      files.proxies,
    );
  }
  async function* domains(): AsyncGenerator<Domain> {
    if (files.domains !== null) {
      yield* untilProblem(
        readDomains(rowsOf(domainCsvTableRules(files.domains)), { ...deps, file: files.domains, proxyIndex, report }),
        files.domains,
      );
    }
    // The error is thrown inside the transaction, so that Postgres rolls it back.
    if (problems > 0) throw new InventoryRefusedError(problems);
  }
  const onProgress = (counts: InventoryCounts): void => advance(counts);
  // @reports/db is imported only here, because --help does not need it, and loading it takes longest.
  const { copyIntoInventory } = await import("@reports/db");
  return copyIntoInventory({
    databaseUrl: deps.databaseUrl,
    proxies: proxies(),
    domains: domains(),
    signal: deps.signal,
    onProgress,
  });
}
