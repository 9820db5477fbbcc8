/** Describes numbers of records for people: `1 proxy and 2500 domains`. */
export function describeInventory({
  proxies,
  domains,
}: {
  readonly proxies: number;
  readonly domains: number;
}): string {
  return `${proxies} ${proxies === 1 ? "proxy" : "proxies"} and ${domains} ${domains === 1 ? "domain" : "domains"}`;
}
