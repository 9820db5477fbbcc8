import type { Domain } from "@reports/client";
import type { ComponentChildren } from "preact";
import { Cut } from "../parts/cut.tsx";
import { SortHead } from "../parts/sort-head.tsx";
import type { Tone } from "../parts/state.tsx";
import { countText, percentText } from "../parts/text.ts";
import { hrefOf } from "../shell/place.ts";
import { Certificate, DomainStatus } from "./states.tsx";
import { tlsText } from "./word-of-value.ts";

interface Column {
  readonly title: string;
  /** The sort field of the list. */
  readonly by: string;
  readonly class?: string;
  readonly cell: (domain: Domain) => ComponentChildren;
}

const tls: Column = { title: "TLS", by: "tlsMode", class: "short", cell: tlsText };
const columns: readonly Column[] = [
  { title: "Status", by: "status", cell: (domain) => <DomainStatus domain={domain} /> },
  {
    title: "Certificate ends",
    by: "certNotAfter",
    class: "short",
    cell: (domain) => <Certificate domain={domain} />,
  },
  tls,
  {
    title: "Upstream",
    by: "upstreamHost",
    class: "aside",
    cell: ({ upstreamHost, upstreamPort }) => <Cut text={`${upstreamHost}:${upstreamPort}`} />,
  },
  {
    title: "Requests 24 h",
    by: "requests24h",
    class: "number aside",
    cell: ({ requests24h }) => requests24h !== null && countText(requests24h),
  },
  {
    title: "Errors 24 h",
    by: "errorRate5xx24h",
    class: "number aside",
    cell: ({ errorRate5xx24h }) => errorRate5xx24h !== null && percentText(errorRate5xx24h),
  },
];

export function DomainRows({ domains }: { readonly domains: readonly Domain[] }) {
  return <Rows domains={domains} columns={columns} isSortable />;
}

/** Domains with their certificates, in a fixed order. */
export function CertificateRows({ domains, tone }: { readonly domains: readonly Domain[]; readonly tone: Tone }) {
  return (
    <Rows
      domains={domains}
      columns={[
        {
          title: "Certificate ends",
          by: "certNotAfter",
          cell: (domain) => <Certificate domain={domain} tone={tone} />,
        },
        tls,
        { title: "Issuer", by: "certIssuer", cell: ({ certIssuer }) => <bdi>{certIssuer}</bdi> },
      ]}
    />
  );
}

function Rows(props: {
  readonly domains: readonly Domain[];
  readonly columns: readonly Column[];
  readonly isSortable?: boolean;
}) {
  const heads = [{ title: "Host name", by: "hostname" }, ...props.columns];
  return (
    <table class="rows">
      <thead>
        <tr>
          {heads.map(({ title, by, ...head }: Omit<Column, "cell">) =>
            props.isSortable === true ? (
              <SortHead key={by} by={by} class={head.class}>
                {title}
              </SortHead>
            ) : (
              <th key={by} scope="col" class={head.class}>
                {title}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {props.domains.map((domain) => (
          <tr key={domain.id}>
            <td class="main">
              <a href={hrefOf(`domains/${domain.id}`, { proxy: domain.proxyId })} data-row>
                <Cut text={domain.hostname + (domain.pathPrefix === "/" ? "" : domain.pathPrefix)} />
              </a>
            </td>
            {props.columns.map(({ by, cell, ...column }) => (
              <td key={by} class={column.class}>
                {cell(domain)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
