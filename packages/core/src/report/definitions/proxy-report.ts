import { proxyFilters } from "../../inventory/proxy-filters.ts";
import {
  adminStateTitles,
  environmentTitles,
  healthTitles,
  proxyKindTitles,
  proxySoftwareTitles,
} from "../../inventory/proxy.ts";
import type { ReportTypeInput } from "../types/report-type-input.ts";

/** Disabling a proxy is deliberate and no alarm. */
const adminStateTones = { MAINTENANCE: "warn", DRAINING: "warn", DISABLED: "muted", ENABLED: "good" } as const;
const healthTones = { DOWN: "bad", DEGRADED: "warn", UNKNOWN: "muted", UP: "good" } as const;

const isDown = { column: "health", in: ["DOWN"] } as const;
const isDegraded = { column: "health", in: ["DEGRADED"] } as const;
const isUnknown = { column: "health", in: ["UNKNOWN"] } as const;
const isUp = { column: "health", in: ["UP"] } as const;

/** The list's filters, but text is searched only in the report's columns, because callers must not find hidden descriptions. */
const filters = proxyFilters.map((filter) =>
  filter.name === "q"
    ? { ...filter, columns: ["name"], description: "Text that the name contains, in any case." }
    : filter,
);

/** What do we run, is it healthy, who owns it? docs/reference/resources/report-types.md#built-in-types. */
export const proxyReport = {
  type: "PROXY",
  version: 1,
  title: "Proxy inventory",
  description: "What do we run, is it healthy, who owns it? One row per proxy.",
  filters,
  columns: [
    { key: "name", title: "Name", kind: "text", width: 22, keepsEnd: true },
    { key: "kind", title: "Kind", kind: "text", width: 9, titles: proxyKindTitles },
    { key: "software", title: "Software", kind: "text", width: 10, titles: proxySoftwareTitles },
    { key: "softwareVersion", title: "Version", kind: "text", width: 10 },
    { key: "address", title: "Address", kind: "text", width: 24, keepsEnd: true },
    { key: "port", title: "Port", kind: "integer", width: 7, plainDigits: true },
    { key: "protocol", title: "Protocol", kind: "text", width: 9 },
    { key: "region", title: "Region", kind: "text", width: 14, keepsEnd: true },
    { key: "countryCode", title: "Country", kind: "text", width: 8 },
    {
      key: "environment",
      title: "Environment",
      kind: "text",
      width: 12,
      titles: environmentTitles,
      tones: { PROD: "muted" },
    },
    {
      key: "adminState",
      title: "Admin state",
      kind: "text",
      width: 13,
      titles: adminStateTitles,
      tones: adminStateTones,
    },
    {
      key: "health",
      title: "Health",
      kind: "text",
      width: 10,
      titles: healthTitles,
      tones: healthTones,
    },
    { key: "lastCheckedAt", title: "Last checked", kind: "timestamp", width: 17 },
    { key: "ownerTeam", title: "Owner", kind: "text", width: 16 },
    { key: "tags", title: "Tags", kind: "list", width: 20 },
    { key: "domainCount", title: "Domains", kind: "integer", width: 9 },
    { key: "nextCertNotAfter", title: "Next certificate end", kind: "timestamp", width: 17 },
    { key: "daysLeft", title: "Days left", kind: "integer", width: 9 },
    { key: "requests24h", title: "Requests 24 h", kind: "bigint", width: 14 },
    { key: "bytesOut24h", title: "Data out 24 h", kind: "bytes", width: 10 },
    { key: "errorRate5xx24h", title: "5xx rate 24 h", kind: "ratio", width: 11 },
    { key: "latencyMsP95", title: "p95 latency (ms)", kind: "integer", width: 11 },
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
        title: "Down",
        kind: "integer",
        aggregate: { kind: "count", where: isDown },
        tone: healthTones.DOWN,
      },
      {
        key: "degraded",
        title: "Degraded",
        kind: "integer",
        aggregate: { kind: "count", where: isDegraded },
        tone: healthTones.DEGRADED,
      },
      {
        key: "disabled",
        title: "Disabled",
        kind: "integer",
        aggregate: { kind: "count", where: { column: "adminState", in: ["DISABLED"] } },
        tone: adminStateTones.DISABLED,
      },
      { key: "domains", title: "Domains served", kind: "bigint", aggregate: { kind: "sum", column: "domainCount" } },
      { key: "requests24h", title: "Requests 24 h", kind: "bigint", aggregate: { kind: "sum", column: "requests24h" } },
      {
        key: "errorRate5xx24h",
        title: "5xx rate 24 h",
        kind: "ratio",
        aggregate: { kind: "weighted-mean", column: "errorRate5xx24h", weight: "requests24h" },
      },
    ],
    charts: [
      {
        key: "healthByRegion",
        title: "Health by region",
        categories: { column: "region", top: 12 },
        series: [
          { label: "Down", where: isDown, tone: healthTones.DOWN },
          { label: "Degraded", where: isDegraded, tone: healthTones.DEGRADED },
          { label: "Unknown", where: isUnknown, tone: healthTones.UNKNOWN },
          { label: "Up", where: isUp, tone: healthTones.UP },
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
  rows: { kind: "relation", relation: "proxies" },
} as const satisfies ReportTypeInput;
