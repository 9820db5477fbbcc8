export function formatInventoryCounts({
  proxies,
  domains,
}: {
  readonly proxies: number;
  readonly domains: number;
}): string {
  return `${proxies} ${proxies === 1 ? "proxy" : "proxies"} and ${domains} ${domains === 1 ? "domain" : "domains"}`;
}
