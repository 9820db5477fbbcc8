import { adminStateTitles, healthTitles } from "../../inventory/proxy.ts";
import { proxyFilters } from "../../inventory/proxy-filters.ts";
import { adminStateTones, healthTones, proxyFields } from "../../inventory/proxy-record.ts";
import { createFieldColumnFactory } from "../types/field-column.ts";
import { dutchProxyTexts } from "./translations/dutch.ts";
import { frenchProxyTexts } from "./translations/french.ts";
import { germanProxyTexts } from "./translations/german.ts";
import { polishProxyTexts } from "./translations/polish.ts";
import { spanishProxyTexts } from "./translations/spanish.ts";
import type { ReportTypeInput } from "../types/report-type-input.ts";

const proxyColumn = createFieldColumnFactory(proxyFields);
const isDown = { column: "health", in: ["DOWN"] } as const;
const isDegraded = { column: "health", in: ["DEGRADED"] } as const;
const isUnknown = { column: "health", in: ["UNKNOWN"] } as const;
const isUp = { column: "health", in: ["UP"] } as const;

export const trafficFigures = [
  { key: "requests24h", title: "Requests 24 h", kind: "bigint", aggregate: { kind: "sum", column: "requests24h" } },
  {
    key: "errorRate5xx24h",
    title: "5xx rate 24 h",
    kind: "ratio",
    aggregate: { kind: "weighted-mean", column: "errorRate5xx24h", weight: "requests24h" },
  },
] as const;

/** The filters of `GET /v1/proxies`, but `q` searches only names. Callers must not find proxies by descriptions, which this report hides. */
const filters = proxyFilters.map((filter) =>
  filter.name === "q"
    ? { ...filter, columns: ["name"], description: "Text that the name contains, in any case." }
    : filter,
);

export const proxyReport = {
  type: "PROXY",
  version: 1,
  title: "Proxy inventory",
  description: "What do we run, is it healthy, who owns it? One row per proxy.",
  filters,
  prominentFilters: ["q", "health", "environment", "adminState", "region", "ownerTeam"],
  columns: [
    proxyColumn("name", 22, { keepsEnd: true }),
    proxyColumn("kind", 9),
    proxyColumn("software", 10),
    proxyColumn("softwareVersion", 10),
    proxyColumn("address", 24, { keepsEnd: true }),
    proxyColumn("port", 7, { plainDigits: true }),
    proxyColumn("protocol", 9),
    proxyColumn("region", 14, { keepsEnd: true }),
    proxyColumn("countryCode", 8),
    proxyColumn("environment", 12),
    proxyColumn("adminState", 13),
    proxyColumn("health", 10),
    proxyColumn("lastCheckedAt", 17),
    proxyColumn("ownerTeam", 16),
    proxyColumn("tags", 20),
    { key: "domainCount", title: "Domains", kind: "integer", width: 9 },
    { key: "nextCertNotAfter", title: "Next certificate end", kind: "timestamp", width: 17, expires: true },
    { key: "daysLeft", title: "Days left", kind: "integer", daysUntil: "expiry", width: 9 },
    { key: "requests24h", title: "Requests 24 h", kind: "bigint", width: 14 },
    { key: "bytesOut24h", title: "Data out 24 h", kind: "bytes", width: 10 },
    { key: "errorRate5xx24h", title: "5xx rate 24 h", kind: "ratio", width: 11 },
    proxyColumn("latencyMsP95", 11),
  ],
  pdfColumns: [
    "name",
    "software",
    "address",
    "port",
    "region",
    "environment",
    "health",
    "ownerTeam",
    "domainCount",
    "requests24h",
  ],
  defaultSort: [
    { key: "health", descending: false },
    { key: "name", descending: false },
  ],
  groupable: ["kind", "software", "region", "countryCode", "environment", "adminState", "health", "ownerTeam"],
  summary: {
    figures: [
      { key: "proxies", title: "Proxies", kind: "integer", aggregate: { kind: "count" } },
      {
        key: "down",
        title: healthTitles.DOWN,
        kind: "integer",
        aggregate: { kind: "count", where: isDown },
        tone: healthTones.DOWN,
      },
      {
        key: "degraded",
        title: healthTitles.DEGRADED,
        kind: "integer",
        aggregate: { kind: "count", where: isDegraded },
        tone: healthTones.DEGRADED,
      },
      {
        key: "disabled",
        title: adminStateTitles.DISABLED,
        kind: "integer",
        aggregate: { kind: "count", where: { column: "adminState", in: ["DISABLED"] } },
        tone: adminStateTones.DISABLED,
      },
      { key: "domains", title: "Domains served", kind: "bigint", aggregate: { kind: "sum", column: "domainCount" } },
      ...trafficFigures,
    ],
    charts: [
      {
        key: "healthByRegion",
        title: "Health by region",
        categories: { column: "region", top: 12 },
        series: [
          { label: healthTitles.DOWN, where: isDown, tone: healthTones.DOWN },
          { label: healthTitles.DEGRADED, where: isDegraded, tone: healthTones.DEGRADED },
          { label: healthTitles.UNKNOWN, where: isUnknown, tone: healthTones.UNKNOWN },
          { label: healthTitles.UP, where: isUp, tone: healthTones.UP },
        ],
        measure: { kind: "count" },
      },
      {
        key: "topProxies",
        title: "Busiest proxies (requests 24 h)",
        categories: { column: "name", top: 10 },
        measure: { kind: "sum", column: "requests24h" },
      },
    ],
    attention: {
      title: "Needs action: proxies that are down or degraded",
      where: { column: "health", in: ["DOWN", "DEGRADED"] },
      columns: ["name", "region", "environment", "adminState", "health", "ownerTeam", "domainCount", "daysLeft"],
      sort: [
        { key: "health", descending: false },
        { key: "requests24h", descending: true },
      ],
      limit: 20,
    },
  },
  texts: {
    de: germanProxyTexts,
    fr: frenchProxyTexts,
    nl: dutchProxyTexts,
    es: spanishProxyTexts,
    pl: polishProxyTexts,
  },
  rows: { kind: "relation", relation: "proxies" },
} as const satisfies ReportTypeInput;
