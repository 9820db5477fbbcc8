import type { Domain } from "@reports/client";
import { MiddleTruncate } from "../parts/middle-truncate.tsx";
import { Rows, type Column } from "../parts/rows.tsx";
import { formatCount, formatPercent } from "../parts/text.ts";
import { buildHref } from "../shell/route.ts";
import { Certificate, DomainStatus } from "./inventory-states.tsx";
import { formatTlsMode } from "./find-value-title.ts";

const tls: Column<Domain> = { title: "TLS", class: "short", cell: formatTlsMode };
const hostnameColumn: Column<Domain> = {
  title: "Host name",
  class: "main",
  cell: ({ id, proxyId, hostname, pathPrefix }) => (
    <a href={buildHref(`domains/${id}`, { proxy: proxyId })} data-row>
      <MiddleTruncate text={hostname + (pathPrefix === "/" ? "" : pathPrefix)} />
    </a>
  ),
};
const sortableColumns: readonly Column<Domain>[] = [
  { ...hostnameColumn, by: "hostname" },
  { title: "Status", by: "status", cell: (domain) => <DomainStatus domain={domain} /> },
  {
    title: "Certificate ends",
    by: "certNotAfter",
    class: "short",
    cell: (domain) => <Certificate domain={domain} />,
  },
  { ...tls, by: "tlsMode" },
  {
    title: "Upstream",
    by: "upstreamHost",
    class: "aside",
    cell: ({ upstreamHost, upstreamPort }) => <MiddleTruncate text={`${upstreamHost}:${upstreamPort}`} />,
  },
  {
    title: "Requests 24 h",
    by: "requests24h",
    class: "number aside",
    cell: ({ requests24h }) => requests24h !== null && formatCount(requests24h),
  },
  {
    title: "Errors 24 h",
    by: "errorRate5xx24h",
    class: "number aside",
    cell: ({ errorRate5xx24h }) => errorRate5xx24h !== null && formatPercent(errorRate5xx24h),
  },
];

export function DomainRows({ domains }: { readonly domains: readonly Domain[] }) {
  return <Rows items={domains} columns={sortableColumns} />;
}

const certificateColumns: readonly Column<Domain>[] = [
  hostnameColumn,
  { title: "Certificate ends", cell: (domain) => <Certificate domain={domain} /> },
  tls,
  { title: "Issuer", cell: ({ certIssuer }) => <bdi>{certIssuer}</bdi> },
];

export function CertificateRows({ domains }: { readonly domains: readonly Domain[] }) {
  return <Rows items={domains} columns={certificateColumns} />;
}
