import { responseFieldNames } from "@reports/core/record";
import { domainsCollection, severities } from "@reports/core/inventory";
import { sql } from "drizzle-orm";
import { domains as d } from "../schema/domains.ts";
import { proxies as p } from "../schema/proxies.ts";
import { daysLeft, hasAnyIssue, impliedExpiryCondition, issuesSql, severitySql } from "./certificates.ts";
import { column, rankBy, type Relation } from "./relation.ts";
import { fieldColumns, filterableColumns } from "./table-relation.ts";

const nullable = { nullable: true } as const;

export const domainsRelation: Relation = {
  name: "domains",
  from: sql`${d} join ${p} on ${p.id} = ${d.proxyId}`,
  active: sql`${d.deletedAt} is null and ${p.deletedAt} is null`,
  id: sql`${d.id}`,
  columns: {
    ...filterableColumns(fieldColumns(d, responseFieldNames(domainsCollection))),
    proxyName: column(p.name, "text"),
    proxyRegion: column(p.region, "text", nullable),
    proxyEnvironment: column(p.environment, "text"),
    proxyOwnerTeam: column(p.ownerTeam, "text", nullable),
    upstream: column(
      sql`lower(${d.upstreamScheme}) || '://' || case when strpos(${d.upstreamHost}, ':') > 0 then '[' || ${d.upstreamHost} || ']' else ${d.upstreamHost} end || ':' || ${d.upstreamPort}`,
      "text",
    ),
    daysLeft: column(daysLeft(d.certNotAfter), "integer", nullable),
    severity: column(severitySql, "text", {
      nullable: true,
      order: rankBy(severitySql, severities)!,
      implies: impliedExpiryCondition,
    }),
    issues: column(issuesSql, "text[]", { implies: impliedExpiryCondition, holds: hasAnyIssue }),
  },
};
