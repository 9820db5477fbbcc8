import { domainInputRules, domainCsvCellReader, type Domain } from "@reports/core/inventory";
import type { Clock, IdMaker } from "@reports/core/base";
import type { DomainKey, InventoryKeyReader } from "@reports/db";
import type { ReportRowProblem } from "./inventory-file-problem.ts";
import type { ProxyIndex } from "./proxy-index.ts";
import { readRecord, type CsvTableRow, type CsvTableRules } from "./read-table.ts";

export const domainCsvTableRules: CsvTableRules = {
  ...domainCsvCellReader,
  ...domainInputRules,
  extra: ["proxyName", "proxyId"],
};

interface DomainDeps {
  readonly proxyIndex: ProxyIndex;
  readonly store: Pick<InventoryKeyReader, "domainKeys">;
  readonly report: ReportRowProblem;
  readonly newId: IdMaker;
  readonly now: Clock;
}

const batchSize = 2000;

export async function* readDomains(rows: AsyncIterable<CsvTableRow>, deps: DomainDeps): AsyncGenerator<Domain> {
  const seen = new Map<string, number>();
  let batch: { readonly line: number; readonly domain: Domain }[] = [];
  for await (const row of rows) {
    const domain = readDomain(row, deps);
    if (domain === null) continue;
    const key = domainKeyOf(domain);
    const firstLine = seen.get(key);
    if (firstLine !== undefined) {
      const reason = `is taken: line ${firstLine} has the same host name and path on the same proxy`;
      deps.report({ line: row.line, column: "hostname", reason });
      continue;
    }
    seen.set(key, row.line);
    batch.push({ line: row.line, domain });
    if (batch.length < batchSize) continue;
    yield* filterNewDomains(batch, deps);
    batch = [];
  }
  yield* filterNewDomains(batch, deps);
}

function readDomain(row: CsvTableRow, deps: DomainDeps): Domain | null {
  const input = readRecord(domainInputRules, row, deps.report);
  const proxyId = findProxy(row.extra, deps.proxyIndex, (column, reason) =>
    deps.report({ line: row.line, column, reason }),
  );
  if (input === null || proxyId === null) return null;
  const now = deps.now();
  return { ...input, id: deps.newId(), proxyId, createdAt: now, updatedAt: now };
}

function findProxy(
  extra: CsvTableRow["extra"],
  proxyIndex: ProxyIndex,
  refuse: (column: string, reason: string) => void,
): string | null {
  const { proxyName, proxyId } = extra;
  if (proxyName === undefined && proxyId === undefined) {
    refuse("proxyName", "proxyName or proxyId is required and must name the proxy that serves the domain.");
    return null;
  }
  if (proxyId !== undefined && !proxyIndex.hasId(proxyId)) {
    refuse("proxyId", `there is no proxy with the id ${JSON.stringify(proxyId)} in the inventory`);
    return null;
  }
  if (proxyName === undefined) return proxyId!;
  const named = proxyIndex.idOf(proxyName);
  if (named === undefined) {
    const reason = `there is no proxy called ${JSON.stringify(proxyName)}, neither in the file nor in the inventory`;
    if (!proxyIndex.isRefused(proxyName)) refuse("proxyName", reason);
    return null;
  }
  if (proxyId === undefined || proxyId === named) return named;
  refuse("proxyId", "is the id of a proxy other than proxyName");
  return null;
}

async function* filterNewDomains(
  batch: readonly { readonly line: number; readonly domain: Domain }[],
  deps: DomainDeps,
): AsyncGenerator<Domain> {
  const candidates = batch.filter(({ domain }) => deps.proxyIndex.existedBefore(domain.proxyId));
  const names = [...new Set(candidates.map(({ domain }) => domain.hostnameAscii))];
  const taken = new Set((await deps.store.domainKeys(names)).map(domainKeyOf));
  const reason = "is taken: the inventory has the same host name and path on the same proxy";
  for (const { line, domain } of batch) {
    if (taken.has(domainKeyOf(domain))) deps.report({ line, column: "hostname", reason });
    else yield domain;
  }
}

function domainKeyOf({ proxyId, hostnameAscii, pathPrefix }: DomainKey): string {
  return `${proxyId} ${hostnameAscii} ${pathPrefix}`;
}
