import { listResponseFieldNames } from "@reports/core/record";
import { domainsCollection, severities } from "@reports/core/inventory";
import { sql } from "drizzle-orm";
import { domains as d } from "../schema/domains.ts";
import { proxies as p } from "../schema/proxies.ts";
import {
  certificateDaysLeftSql,
  hasAnyDomainIssueSql,
  impliedExpiryCondition,
  domainIssuesSql,
  certificateSeveritySql,
} from "./certificates.ts";
import { createRelationColumn, createRankOrder, type Relation } from "./relation.ts";
import { selectFieldColumns, toFilterableColumns } from "./table-relation.ts";

const nullable = { nullable: true } as const;

export const domainsRelation: Relation = {
  name: "domains",
  from: sql`${d} join ${p} on ${p.id} = ${d.proxyId}`,
  active: sql`${d.deletedAt} is null and ${p.deletedAt} is null`,
  id: sql`${d.id}`,
  columns: {
    ...toFilterableColumns(selectFieldColumns(d, listResponseFieldNames(domainsCollection))),
    proxyName: createRelationColumn(p.name, "text"),
    proxyRegion: createRelationColumn(p.region, "text", nullable),
    proxyEnvironment: createRelationColumn(p.environment, "text"),
    proxyOwnerTeam: createRelationColumn(p.ownerTeam, "text", nullable),
    upstream: createRelationColumn(
      sql`lower(${d.upstreamScheme}) || '://' || case when strpos(${d.upstreamHost}, ':') > 0 then '[' || ${d.upstreamHost} || ']' else ${d.upstreamHost} end || ':' || ${d.upstreamPort}`,
      "text",
    ),
    daysLeft: createRelationColumn(certificateDaysLeftSql(d.certNotAfter), "integer", nullable),
    severity: createRelationColumn(certificateSeveritySql, "text", {
      nullable: true,
      order: createRankOrder(certificateSeveritySql, severities)!,
      implies: impliedExpiryCondition,
    }),
    issues: createRelationColumn(domainIssuesSql, "text[]", {
      implies: impliedExpiryCondition,
      holds: hasAnyDomainIssueSql,
    }),
  },
};
