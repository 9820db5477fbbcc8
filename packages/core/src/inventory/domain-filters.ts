import type { Filter } from "../query/filters.ts";
import {
  columnFilter,
  creationTimeFilters,
  statusFilter,
  timeRangeFilters,
  toPlainTextFilters,
} from "../query/filter-definitions.ts";
import { domainIssues, domainStatuses, severities, tlsMinVersions, tlsModes } from "./domain.ts";
import { environments } from "./proxy.ts";
import { hostTextForm, proxyNameTextForm } from "./text-forms.ts";

const ofAsciiHostname = { columns: ["hostnameAscii"], maxLength: 253 } as const;

export const domainFilters: readonly Filter[] = toPlainTextFilters([
  columnFilter("q", "text", "Text that the host name contains, in either form and in any case.", {
    operator: "contains",
    columns: ["hostname", "hostnameAscii"],
    maxLength: 200,
  }),
  columnFilter("hostname", "hostname", "Exact host names, in Unicode or A-label form.", ofAsciiHostname),
  columnFilter(
    "hostnameSuffix",
    "hostname",
    "Host names, each with all names below it: `example.org` finds `example.org` and `a.example.org`.",
    { operator: "suffix", ...ofAsciiHostname },
  ),
  statusFilter(domainStatuses),
  columnFilter("tlsMode", "enum", "TLS modes.", { values: tlsModes }),
  columnFilter("tlsMinVersion", "enum", "Lowest TLS versions that are accepted.", { values: tlsMinVersions }),
  columnFilter("certIssuer", "text", "Issuers of the certificate.", { maxLength: 200 }),
  columnFilter("severity", "enum", "How soon the certificate expires.", { values: severities }),
  columnFilter("issue", "enum", "Issues. A domain matches if it has any of them.", {
    operator: "has",
    columns: ["issues"],
    values: domainIssues,
  }),
  columnFilter("httpsForced", "boolean", "Whether HTTPS is forced."),
  columnFilter("hstsEnabled", "boolean", "Whether HSTS is sent."),
  columnFilter("upstreamHost", "text", "Hosts to which the proxy sends requests.", {
    maxLength: 1024,
    form: hostTextForm,
  }),
  columnFilter("upstreamPort", "integer", "Ports to which the proxy sends requests.", { min: 1, max: 65_535 }),
  ...timeRangeFilters("certNotAfter", "certNotAfter", "The certificate expires"),
  ...creationTimeFilters,
]);

export const crossProxyDomainFilters: readonly Filter[] = toPlainTextFilters([
  ...domainFilters,
  columnFilter(
    "servesHost",
    "hostname",
    "Host names. A domain matches if it has this name, or the wildcard that covers it.",
    { operator: "serves", ...ofAsciiHostname },
  ),
  columnFilter("proxyId", "uuid", "IDs of the proxies."),
  columnFilter("proxyName", "text", "Names of the proxies.", { form: proxyNameTextForm }),
  columnFilter("proxyRegion", "text", "Regions of the proxies.", { maxLength: 63 }),
  columnFilter("proxyEnvironment", "enum", "Environments of the proxies.", { values: environments }),
  columnFilter("proxyOwnerTeam", "text", "Teams that own the proxies.", { maxLength: 100 }),
]);
