import type { Domain } from "@reports/client";
import { Facts, otherFacts } from "../parts/facts.tsx";
import { EmptyState, QueryContent } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { formatCount, formatPercent, formatByteSize } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import type { PageProps } from "../shell/page-props.ts";
import { buildHref, route } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { Certificate, DomainStatus } from "./inventory-states.tsx";
import { formatTlsMode, findValueTitle } from "./find-value-title.ts";

const explicitFields: readonly (keyof Domain)[] = [
  "id",
  "proxyId",
  "hostname",
  "hostnameAscii",
  "pathPrefix",
  "status",
  "upstreamScheme",
  "upstreamHost",
  "upstreamPort",
  "tlsMode",
  "tlsMinVersion",
  "certIssuer",
  "certKeyType",
  "certNotBefore",
  "certNotAfter",
  "certFingerprintSha256",
  "httpsForced",
  "hstsEnabled",
  "http2Enabled",
  "requests24h",
  "bytesOut24h",
  "errorRate5xx24h",
  "lastCheckedAt",
  "createdAt",
  "updatedAt",
];

/** The page of one domain. The API reads a domain below its proxy, so the URL fragment also has the ID of the proxy. */
export function DomainPage({ id }: PageProps) {
  const proxyId = route.value.query.get("proxy");
  if (proxyId === null)
    return (
      <>
        <PageHead eyebrow="Domain" title="Domain" />
        <EmptyState title="Which proxy?">
          <p>A link to a domain has to name its proxy; this one does not.</p>
          <a class="button" href={buildHref("domains")}>
            Go to the domains
          </a>
        </EmptyState>
      </>
    );
  return <DomainDetails id={id} proxyId={proxyId} />;
}

function DomainDetails({ id, proxyId }: { readonly id: string; readonly proxyId: string }) {
  const result = useQuery(`domain ${proxyId} ${id}`, async (gateway, options) => ({
    domain: (await gateway.proxies.domains(proxyId).get(id, options)).record,
    proxy: (await gateway.proxies.get(proxyId, options)).record,
  }));
  return (
    <>
      {result.value === null && <PageHead eyebrow="Domain" title="Domain" />}
      <QueryContent result={result}>
        {({ domain, proxy }) => (
          <>
            <PageHead eyebrow="Domain" title={domain.hostname} lead={<DomainStatus domain={domain} />} />
            <div class="fact-columns">
              <Facts
                facts={[
                  [
                    "Proxy",
                    <a key="proxy" href={buildHref(`proxies/${proxy.id}`)}>
                      {proxy.name}
                    </a>,
                  ],
                  domain.hostnameAscii === domain.hostname
                    ? null
                    : ["Host name (ASCII)", <code key="ascii">{domain.hostnameAscii}</code>],
                  ["Path", <code key="path">{domain.pathPrefix}</code>],
                  [
                    "Upstream",
                    `${domain.upstreamScheme.toLowerCase()}://${domain.upstreamHost}:${domain.upstreamPort}`,
                  ],
                  ["Requests 24 h", domain.requests24h === null ? "–" : formatCount(domain.requests24h)],
                  ["Data 24 h", domain.bytesOut24h === null ? "–" : formatByteSize(domain.bytesOut24h)],
                  ["Errors 24 h", domain.errorRate5xx24h === null ? "–" : formatPercent(domain.errorRate5xx24h)],
                  domain.lastCheckedAt === null
                    ? null
                    : ["Last checked", <Time key="checked" at={domain.lastCheckedAt} />],
                  ...otherFacts(domain, explicitFields),
                ]}
              />
              <Tls domain={domain} />
            </div>
          </>
        )}
      </QueryContent>
    </>
  );
}

function Tls({ domain }: { readonly domain: Domain }) {
  return (
    <Facts
      facts={[
        ["TLS", formatTlsMode(domain)],
        domain.tlsMinVersion === null
          ? null
          : ["Lowest TLS", findValueTitle("PROXY_DOMAIN", "tlsMinVersion", domain.tlsMinVersion)],
        ["Certificate", <Certificate key="certificate" domain={domain} />],
        domain.certNotAfter === null ? null : ["Certificate ends", <Time key="until" at={domain.certNotAfter} exact />],
        domain.certIssuer === null ? null : ["Issuer", domain.certIssuer],
        domain.certKeyType === null ? null : ["Key", findValueTitle("PROXY_DOMAIN", "certKeyType", domain.certKeyType)],
        domain.certFingerprintSha256 === null
          ? null
          : ["SHA-256", <code key="fingerprint">{domain.certFingerprintSha256}</code>],
        ["HTTPS forced", domain.httpsForced ? "Yes" : "No"],
        ["HSTS", domain.hstsEnabled ? "Yes" : "No"],
        ["HTTP/2", domain.http2Enabled ? "Yes" : "No"],
      ]}
    />
  );
}
