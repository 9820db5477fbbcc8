import { proxyInputRules, proxyCsvCellReader, type Proxy } from "@reports/core/inventory";
import type { Clock, IdMaker } from "@reports/core/base";
import type { ReportRowProblem } from "./inventory-file-problem.ts";
import type { ProxyIndex } from "./proxy-index.ts";
import { readRecord, type CsvTableRow, type CsvTableRules } from "./read-table.ts";

export const proxyCsvTableRules: CsvTableRules = { ...proxyCsvCellReader, ...proxyInputRules, extra: [] };

export async function* readProxies(
  rows: AsyncIterable<CsvTableRow>,
  deps: {
    readonly proxyIndex: ProxyIndex;
    readonly report: ReportRowProblem;
    readonly newId: IdMaker;
    readonly now: Clock;
  },
): AsyncGenerator<Proxy> {
  const { proxyIndex, report } = deps;
  for await (const row of rows) {
    const input = readRecord(proxyInputRules, row, report);
    if (input === null) {
      proxyIndex.addRefused(String(row.body["name"]));
      continue;
    }
    const conflicts = proxyIndex.conflicts(input);
    for (const { column, reason } of conflicts) report({ line: row.line, column, reason });
    if (conflicts.length > 0) continue;
    const now = deps.now();
    const proxy: Proxy = { ...input, id: deps.newId(), createdAt: now, updatedAt: now };
    proxyIndex.add(proxy, row.line);
    yield proxy;
  }
}
