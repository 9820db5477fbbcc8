import { proxyInputRules, proxyCsvCellReader, type Proxy } from "@reports/core/inventory";
import { readRecordInput } from "@reports/core/record";
import type { Clock, IdMaker } from "@reports/core/base";
import type { OnInventoryFileProblem } from "./inventory-file-problem.ts";
import type { ProxyIndex } from "./proxy-index.ts";
import type { CsvTableRow, CsvTableRules } from "./read-table.ts";

export function proxyCsvTableRules(file: string): CsvTableRules {
  return {
    ...proxyCsvCellReader,
    file,
    fields: proxyInputRules.fields,
    serverFields: proxyInputRules.serverFields,
    extra: [],
  };
}

export async function* readProxies(
  rows: AsyncIterable<CsvTableRow>,
  deps: {
    readonly file: string;
    readonly proxyIndex: ProxyIndex;
    readonly report: OnInventoryFileProblem;
    readonly newId: IdMaker;
    readonly now: Clock;
  },
): AsyncGenerator<Proxy> {
  const { file, proxyIndex, report } = deps;
  for await (const { line, body } of rows) {
    const result = readRecordInput(proxyInputRules, body);
    if (!result.ok) {
      for (const { pointer, message } of result.issues)
        report({ file, line, column: toCsvColumnName(pointer), reason: message });
      proxyIndex.addRefused(String(body["name"]));
      continue;
    }
    const conflicts = proxyIndex.conflicts(result.input);
    for (const { column, reason } of conflicts) report({ file, line, column, reason });
    if (conflicts.length > 0) continue;
    const now = deps.now();
    const proxy: Proxy = { ...result.input, id: deps.newId(), createdAt: now, updatedAt: now };
    proxyIndex.add(proxy, line);
    yield proxy;
  }
}

export function toCsvColumnName(pointer: string | undefined): string {
  return (pointer ?? "").split("/")[1] ?? "";
}
