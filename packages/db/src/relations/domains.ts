import { severities } from "@reports/core";
import { sql } from "drizzle-orm";
import { domains as d } from "../schema/domains.ts";
import { proxies as p } from "../schema/proxies.ts";
import { daysLeft, hasIssue, impliedEnds, issues, severity } from "./certificates.ts";
import { column, rank, type Relation } from "./relation.ts";

const nullable = { nullable: true } as const;

/** One row a living domain, with its proxy beside it. */
export const domainsRelation: Relation = {
  name: "domains",
  from: sql`${d} join ${p} on ${p.id} = ${d.proxyId}`,
  living: sql`${d.deletedAt} is null and ${p.deletedAt} is null`,
  id: sql`${d.id}`,
  columns: {
    id: column(d.id, "uuid"),
    proxyId: column(d.proxyId, "uuid"),
    hostname: column(d.hostname, "text"),
    hostnameAscii: column(d.hostnameAscii, "text"),
    pathPrefix: column(d.pathPrefix, "text"),
    proxyName: column(p.name, "text"),
    proxyRegion: column(p.region, "text", nullable),
    proxyEnvironment: column(p.environment, "text"),
    proxyOwnerTeam: column(p.ownerTeam, "text", nullable),
    status: column(d.status, "text"),
    upstreamScheme: column(d.upstreamScheme, "text"),
    upstreamHost: column(d.upstreamHost, "text"),
    upstreamPort: column(d.upstreamPort, "integer"),
    upstream: column(
      // An IPv6 address stands in brackets (RFC 3986 §3.2.2).
      sql`lower(${d.upstreamScheme}) || '://' || case when strpos(${d.upstreamHost}, ':') > 0 then '[' || ${d.upstreamHost} || ']' else ${d.upstreamHost} end || ':' || ${d.upstreamPort}`,
      "text",
    ),
    tlsMode: column(d.tlsMode, "text"),
    tlsMinVersion: column(d.tlsMinVersion, "text", nullable),
    certIssuer: column(d.certIssuer, "text", nullable),
    certKeyType: column(d.certKeyType, "text", nullable),
    certNotBefore: column(d.certNotBefore, "timestamptz", nullable),
    certNotAfter: column(d.certNotAfter, "timestamptz", nullable),
    certFingerprintSha256: column(d.certFingerprintSha256, "text", nullable),
    daysLeft: column(daysLeft(d.certNotAfter), "integer", nullable),
    severity: column(severity, "text", { nullable: true, order: rank(severity, severities)!, implies: impliedEnds }),
    httpsForced: column(d.httpsForced, "boolean"),
    hstsEnabled: column(d.hstsEnabled, "boolean"),
    http2Enabled: column(d.http2Enabled, "boolean"),
    requests24h: column(d.requests24h, "bigint", nullable),
    bytesOut24h: column(d.bytesOut24h, "bigint", nullable),
    errorRate5xx24h: column(d.errorRate5xx24h, "numeric", nullable),
    issues: column(issues, "text[]", { implies: impliedEnds, holds: hasIssue }),
    lastCheckedAt: column(d.lastCheckedAt, "timestamptz", nullable),
    createdAt: column(d.createdAt, "timestamptz"),
    updatedAt: column(d.updatedAt, "timestamptz"),
  },
};
