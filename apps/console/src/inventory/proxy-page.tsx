import type { Proxy } from "@reports/client";
import { Facts, otherFacts } from "../parts/facts.tsx";
import { QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { formatCount } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import type { PageProps } from "../shell/page-props.ts";
import { buildHref } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { findStartableType } from "../shell/session.ts";
import { toFilterParameter } from "../start/draft.ts";
import { Domains } from "./domains-page.tsx";
import { AdminState, Health } from "./inventory-states.tsx";
import { findValueTitle } from "./find-value-title.ts";

export function ProxyPage({ id }: PageProps) {
  const result = useQuery(`proxy ${id}`, async (gateway, options) => (await gateway.proxies.get(id, options)).record);
  return (
    <>
      {result.value === null && <PageHead eyebrow="Proxy" title="Proxy" />}
      <QueryContent result={result}>
        {(proxy) => (
          <>
            <PageHead eyebrow="Proxy" title={proxy.name} lead={<Health proxy={proxy} />}>
              {findStartableType("PROXY_DOMAIN") && (
                <a
                  class="button primary"
                  href={buildHref("new", { type: "PROXY_DOMAIN", [toFilterParameter("proxyId")]: proxy.id })}
                >
                  Report of its domains
                </a>
              )}
            </PageHead>
            {proxy.description !== "" && (
              <p class="description" dir="auto">
                {proxy.description}
              </p>
            )}
            <div class="fact-columns">
              <ProxyFacts proxy={proxy} />
            </div>
            <section class="apart" aria-labelledby="domains">
              <h2 id="domains">Domains</h2>
              <Domains proxyId={proxy.id} />
            </section>
          </>
        )}
      </QueryContent>
    </>
  );
}

function endpointText({ address, port }: Proxy): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}

const explicitFields: readonly (keyof Proxy)[] = [
  "id",
  "name",
  "description",
  "ownerTeam",
  "contactEmail",
  "tags",
  "kind",
  "software",
  "softwareVersion",
  "address",
  "port",
  "protocol",
  "region",
  "countryCode",
  "environment",
  "adminState",
  "health",
  "lastCheckedAt",
  "latencyMsP95",
  "maxConnections",
  "createdAt",
  "updatedAt",
];

function ProxyFacts({ proxy }: { readonly proxy: Proxy }) {
  return (
    <>
      <Facts
        facts={[
          ["Admin state", <AdminState key="state" proxy={proxy} />],
          ["Kind", findValueTitle("PROXY", "kind", proxy.kind)],
          ["Software", `${findValueTitle("PROXY", "software", proxy.software)} ${proxy.softwareVersion ?? ""}`],
          ["Address", <code key="address">{endpointText(proxy)}</code>],
          ["Protocol", proxy.protocol],
          proxy.maxConnections === null ? null : ["Connections", `at most ${formatCount(proxy.maxConnections)}`],
        ]}
      />
      <Facts
        facts={[
          ["Environment", findValueTitle("PROXY", "environment", proxy.environment)],
          proxy.region === null ? null : ["Region", [proxy.region, proxy.countryCode].filter(Boolean).join(", ")],
          proxy.ownerTeam === null ? null : ["Owner", proxy.ownerTeam],
          proxy.contactEmail === null ? null : ["Contact", proxy.contactEmail],
          proxy.tags.length === 0 ? null : ["Tags", proxy.tags.join(", ")],
          proxy.latencyMsP95 === null ? null : ["p95 latency", `${formatCount(proxy.latencyMsP95)} ms`],
          proxy.lastCheckedAt === null ? null : ["Last checked", <Time key="checked" at={proxy.lastCheckedAt} />],
          ...otherFacts(proxy, explicitFields),
        ]}
      />
    </>
  );
}
