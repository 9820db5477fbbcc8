import { certKeyTypes, domainStatuses, tlsMinVersions, tlsModes, upstreamSchemes } from "@reports/core/inventory";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { oneOfCheckSql } from "./one-of-check-sql.ts";
import { proxies } from "./proxies.ts";
import { isDeleted, timestampColumn, isUndeleted, createVersionColumns } from "./record-columns.ts";

export const domains = pgTable(
  "domains",
  {
    id: uuid("id").primaryKey(),
    proxyId: uuid("proxy_id").notNull(),
    hostname: text("hostname").notNull(),
    hostnameAscii: text("hostname_ascii").notNull(),
    pathPrefix: text("path_prefix").notNull().default("/"),
    status: text("status", { enum: domainStatuses }).notNull().default("PENDING"),
    upstreamScheme: text("upstream_scheme", { enum: upstreamSchemes }).notNull(),
    upstreamHost: text("upstream_host").notNull(),
    upstreamPort: integer("upstream_port").notNull(),
    tlsMode: text("tls_mode", { enum: tlsModes }).notNull(),
    tlsMinVersion: text("tls_min_version", { enum: tlsMinVersions }),
    certIssuer: text("cert_issuer"),
    certKeyType: text("cert_key_type", { enum: certKeyTypes }),
    certNotBefore: timestampColumn("cert_not_before"),
    certNotAfter: timestampColumn("cert_not_after"),
    certFingerprintSha256: text("cert_fingerprint_sha256"),
    httpsForced: boolean("https_forced").notNull().default(false),
    hstsEnabled: boolean("hsts_enabled").notNull().default(false),
    http2Enabled: boolean("http2_enabled").notNull().default(false),
    requests24h: bigint("requests_24h", { mode: "number" }),
    bytesOut24h: bigint("bytes_out_24h", { mode: "number" }),
    errorRate5xx24h: numeric("error_rate_5xx_24h", { precision: 7, scale: 6, mode: "number" }),
    lastCheckedAt: timestampColumn("last_checked_at"),
    ...createVersionColumns(),
  },
  (table) => [
    foreignKey({ name: "domains_proxy_id_fkey", columns: [table.proxyId], foreignColumns: [proxies.id] }),
    uniqueIndex("domains_hostname_path_unique")
      .on(table.proxyId, table.hostnameAscii, table.pathPrefix)
      .where(isUndeleted(table)),
    index("domains_hostname_ascii_index").on(table.hostnameAscii).where(isUndeleted(table)),
    // An index of the reversed name finds suffixes, because a suffix of the name is a prefix of the reversed name.
    index("domains_hostname_suffix_index")
      .on(sql`reverse(${table.hostnameAscii}) text_pattern_ops`)
      .where(isUndeleted(table)),
    index("domains_cert_not_after_index").on(table.certNotAfter, table.id).where(isUndeleted(table)),
    index("domains_deleted_at_index").on(table.deletedAt).where(isDeleted(table)),
    index("domains_created_at_index").on(table.createdAt, table.id).where(isUndeleted(table)),
    index("domains_proxy_id_index").on(table.proxyId, table.createdAt, table.id).where(isUndeleted(table)),
    index("domains_hostname_index").on(table.hostname, table.id).where(isUndeleted(table)),
    index("domains_cert_issuer_index").on(table.certIssuer).where(isUndeleted(table)),
    index("domains_upstream_host_index").on(table.upstreamHost).where(isUndeleted(table)),
    check("domains_upstream_port_check", sql`${table.upstreamPort} between 1 and 65535`),
    check("domains_status_check", oneOfCheckSql(table.status, domainStatuses)),
    check("domains_upstream_scheme_check", oneOfCheckSql(table.upstreamScheme, upstreamSchemes)),
    check("domains_tls_mode_check", oneOfCheckSql(table.tlsMode, tlsModes)),
    check("domains_tls_min_version_check", oneOfCheckSql(table.tlsMinVersion, tlsMinVersions)),
    check("domains_cert_key_type_check", oneOfCheckSql(table.certKeyType, certKeyTypes)),
    check("domains_cert_dates_check", sql`${table.certNotAfter} > ${table.certNotBefore}`),
    check(
      "domains_cert_check",
      sql`num_nonnulls(${table.certIssuer}, ${table.certKeyType}, ${table.certNotBefore}, ${table.certNotAfter}, ${table.certFingerprintSha256}) = case when ${table.tlsMode} in ('ACME', 'CUSTOM') then 5 else 0 end`,
    ),
    check("domains_hsts_check", sql`${table.httpsForced} or not ${table.hstsEnabled}`),
    check("domains_error_rate_check", sql`${table.errorRate5xx24h} between 0 and 1`),
    check("domains_traffic_check", sql`${table.requests24h} >= 0 and ${table.bytesOut24h} >= 0`),
  ],
);
