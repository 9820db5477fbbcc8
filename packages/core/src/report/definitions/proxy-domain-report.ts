import { formatTextList } from "../../base/text-list.ts";
import { crossProxyDomainFilters } from "../../inventory/domain-filters.ts";
import { domainFields } from "../../inventory/domain-record.ts";
import { domainIssueMeanings, domainIssueTitles, severityMeanings, severityTitles } from "../../inventory/domain.ts";
import { proxyFields } from "../../inventory/proxy-record.ts";
import { toTitleInSentence } from "../types/omitted-label.ts";
import { createFieldColumnFactory } from "../types/field-column.ts";
import { dutchDomainTexts } from "./translations/dutch.ts";
import { frenchDomainTexts } from "./translations/french.ts";
import { germanDomainTexts } from "./translations/german.ts";
import { polishDomainTexts } from "./translations/polish.ts";
import { spanishDomainTexts } from "./translations/spanish.ts";
import { trafficFigures } from "./proxy-report.ts";
import type { ReportTypeInput } from "../types/report-type-input.ts";

const domainColumn = createFieldColumnFactory(domainFields);
const proxyColumn = createFieldColumnFactory(proxyFields);
const urgentSeverities = ["EXPIRED", "CRITICAL", "WARN"] as const;
const urgentTitles = formatTextList(
  urgentSeverities.map((severity) => toTitleInSentence(severityTitles[severity])),
  "or",
);
const severityTones = { EXPIRED: "bad", CRITICAL: "bad", WARN: "warn", OK: "good" } as const;

export const proxyDomainReport = {
  type: "PROXY_DOMAIN",
  version: 2,
  title: "Domains and certificates",
  description: "Which domain goes to which upstream with which certificate, and what breaks next? One row per domain.",
  filters: crossProxyDomainFilters,
  prominentFilters: ["q", "certNotAfterFrom", "certNotAfterTo", "severity", "issue", "proxyEnvironment", "status"],
  columns: [
    domainColumn("hostname", 30, { keepsEnd: true }),
    domainColumn("hostnameAscii", 30, { keepsEnd: true }),
    domainColumn("pathPrefix", 12),
    { key: "proxyName", title: "Proxy", kind: "text", width: 22, keepsEnd: true },
    { key: "proxyRegion", title: "Region", kind: "text", width: 14, keepsEnd: true },
    { ...proxyColumn("environment", 12), key: "proxyEnvironment" },
    domainColumn("status", 11),
    { key: "upstream", title: "Upstream", kind: "text", width: 32, keepsEnd: true },
    domainColumn("tlsMode", 12),
    domainColumn("tlsMinVersion", 9),
    domainColumn("certIssuer", 20),
    domainColumn("certKeyType", 11),
    domainColumn("certNotAfter", 17, { expires: true }),
    { key: "daysLeft", title: "Days left", kind: "integer", daysUntil: "expiry", width: 9 },
    {
      key: "severity",
      title: "Severity",
      kind: "text",
      width: 10,
      titles: severityTitles,
      meanings: severityMeanings,
      tones: severityTones,
    },
    domainColumn("httpsForced", 8),
    domainColumn("hstsEnabled", 7),
    domainColumn("http2Enabled", 7),
    domainColumn("requests24h", 14, { kind: "bigint" }),
    domainColumn("bytesOut24h", 10, { kind: "bytes" }),
    domainColumn("errorRate5xx24h", 11, { kind: "ratio" }),
    {
      key: "issues",
      title: "Issues",
      kind: "list",
      width: 30,
      titles: domainIssueTitles,
      meanings: domainIssueMeanings,
    },
    { ...proxyColumn("ownerTeam", 16), key: "proxyOwnerTeam", sinceVersion: 2 },
  ],
  pdfColumns: [
    "hostname",
    "proxyName",
    "proxyEnvironment",
    "status",
    "upstream",
    "certNotAfter",
    "daysLeft",
    "severity",
    "issues",
  ],
  defaultSort: [
    { key: "certNotAfter", descending: false },
    { key: "hostname", descending: false },
  ],
  groupable: [
    "proxyName",
    "proxyRegion",
    "proxyEnvironment",
    "status",
    "tlsMode",
    "tlsMinVersion",
    "certIssuer",
    "severity",
    "proxyOwnerTeam",
  ],
  summary: {
    figures: [
      { key: "domains", title: "Domains", kind: "integer", aggregate: { kind: "count" } },
      {
        key: "expired",
        title: severityTitles.EXPIRED,
        kind: "integer",
        aggregate: { kind: "count", where: { column: "severity", in: ["EXPIRED"] } },
        tone: severityTones.EXPIRED,
      },
      {
        key: "critical",
        title: severityTitles.CRITICAL,
        kind: "integer",
        aggregate: { kind: "count", where: { column: "severity", in: ["CRITICAL"] } },
        tone: severityTones.CRITICAL,
      },
      {
        key: "expiring",
        title: severityTitles.WARN,
        kind: "integer",
        aggregate: { kind: "count", where: { column: "severity", in: ["WARN"] } },
        tone: severityTones.WARN,
      },
      {
        key: "plaintext",
        title: domainIssueTitles.PLAINTEXT_ONLY,
        kind: "integer",
        aggregate: { kind: "count", where: { column: "issues", in: ["PLAINTEXT_ONLY"] } },
        tone: "warn",
      },
      ...trafficFigures,
    ],
    charts: [
      {
        key: "expiry",
        title: "Certificates by days left",
        // These bars have no severity tones: severity also depends on a certificate's lifetime, so tones could contradict the figures.
        categories: {
          parts: [
            { label: severityTitles.EXPIRED, where: { column: "daysLeft", below: 0 }, tone: severityTones.EXPIRED },
            { label: "0–2", where: { column: "daysLeft", atLeast: 0, below: 3 } },
            { label: "3–6", where: { column: "daysLeft", atLeast: 3, below: 7 } },
            { label: "7–13", where: { column: "daysLeft", atLeast: 7, below: 14 } },
            { label: "14–29", where: { column: "daysLeft", atLeast: 14, below: 30 } },
            { label: "30–59", where: { column: "daysLeft", atLeast: 30, below: 60 } },
            { label: "60–89", where: { column: "daysLeft", atLeast: 60, below: 90 } },
            { label: "90 and more", where: { column: "daysLeft", atLeast: 90 } },
            { label: "No certificate", where: { column: "daysLeft", isNull: true }, tone: "muted" },
          ],
        },
        measure: { kind: "count" },
      },
      {
        key: "issuers",
        title: "Certificates by issuer",
        categories: { column: "certIssuer", top: 10 },
        measure: { kind: "count" },
      },
    ],
    attention: {
      title: `Needs action: certificates that are ${urgentTitles}`,
      where: { column: "severity", in: urgentSeverities },
      columns: [
        "hostname",
        "proxyName",
        "proxyEnvironment",
        "upstream",
        "certIssuer",
        "certNotAfter",
        "daysLeft",
        "severity",
        "proxyOwnerTeam",
      ],
      // The PDF leaves out `upstream`: its line has no room for it, and it does not help to renew a certificate.
      pdfColumns: [
        "hostname",
        "proxyName",
        "proxyEnvironment",
        "certIssuer",
        "certNotAfter",
        "daysLeft",
        "severity",
        "proxyOwnerTeam",
      ],
      sort: [
        { key: "certNotAfter", descending: false },
        { key: "hostname", descending: false },
      ],
      limit: 25,
    },
  },
  texts: {
    de: germanDomainTexts,
    fr: frenchDomainTexts,
    nl: dutchDomainTexts,
    es: spanishDomainTexts,
    pl: polishDomainTexts,
  },
  rows: { kind: "relation", relation: "domains" },
} as const satisfies ReportTypeInput;
