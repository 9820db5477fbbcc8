import type { InventoryCounts } from "@reports/db";

export function formatInventoryCounts({ proxies, domains }: InventoryCounts): string {
  return `${proxies} ${proxies === 1 ? "proxy" : "proxies"} and ${domains} ${domains === 1 ? "domain" : "domains"}`;
}
