import type { Domain } from "@reports/client";
import { Cut } from "../parts/cut.tsx";
import { SortHead } from "../parts/sort-head.tsx";
import type { Tone } from "../parts/state.tsx";
import { countText } from "../parts/text.ts";
import { hrefOf } from "../shell/place.ts";
import { percentText } from "./percent.ts";
import { Certificate, DomainStatus } from "./states.tsx";
import { tlsText } from "./word-of-value.ts";

/** Domains, one a row. */
export function DomainRows({ domains }: { readonly domains: readonly Domain[] }) {
  return (
    <table class="rows">
      <thead>
        <tr>
          <SortHead by="hostname">Host name</SortHead>
          <SortHead by="status">State</SortHead>
          <SortHead by="certNotAfter">Certificate</SortHead>
          <SortHead by="tlsMode">TLS</SortHead>
          <SortHead by="upstreamHost">Upstream</SortHead>
          <SortHead by="requests24h" class="number">
            Requests 24 h
          </SortHead>
          <SortHead by="errorRate5xx24h" class="number">
            Errors 24 h
          </SortHead>
        </tr>
      </thead>
      <tbody>
        {domains.map((domain) => (
          <tr key={domain.id}>
            <HostName domain={domain} />
            <td>
              <DomainStatus domain={domain} />
            </td>
            <td>
              <Certificate domain={domain} />
            </td>
            <td>{tlsText(domain)}</td>
            <td class="aside">
              <Cut text={`${domain.upstreamHost}:${domain.upstreamPort}`} />
            </td>
            <td class="number aside">{domain.requests24h === null ? "" : countText(domain.requests24h)}</td>
            <td class="number aside">{domain.errorRate5xx24h === null ? "" : percentText(domain.errorRate5xx24h)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Domains by their certificates alone. */
export function CertificateRows({ domains, tone }: { readonly domains: readonly Domain[]; readonly tone: Tone }) {
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">Host name</th>
          <th scope="col">Certificate</th>
          <th scope="col">TLS</th>
          <th scope="col">Issuer</th>
        </tr>
      </thead>
      <tbody>
        {domains.map((domain) => (
          <tr key={domain.id}>
            <HostName domain={domain} />
            <td>
              <Certificate domain={domain} tone={tone} />
            </td>
            <td>{tlsText(domain)}</td>
            <td dir="auto">{domain.certIssuer}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A domain is read below its proxy. */
function HostName({ domain }: { readonly domain: Domain }) {
  return (
    <td class="main">
      <a href={hrefOf(`domains/${domain.id}`, { proxy: domain.proxyId })} data-row>
        <Cut text={domain.hostname + (domain.pathPrefix === "/" ? "" : domain.pathPrefix)} />
      </a>
    </td>
  );
}
