import { listResponseFieldNames } from "@reports/core/record";
import { proxiesCollection } from "@reports/core/inventory";
import { sql } from "drizzle-orm";
import { domains as d } from "../schema/domains.ts";
import { proxies as p } from "../schema/proxies.ts";
import { certificateDaysLeftSql } from "./certificates.ts";
import { createRelationColumn, createRankOrder, type Relation } from "./relation.ts";
import { selectFieldColumns, toFilterableColumns } from "./table-relation.ts";

const totalsJoin = { join: "totals", nullable: true } as const;

/** One row per active proxy. The join `totals` sums up its domains, and queries contain it only if one of their columns needs it. */
export const proxiesRelation: Relation = {
  name: "proxies",
  from: sql`${p}`,
  joins: {
    totals: sql`left join (
      select ${d.proxyId} as proxy_id, count(*) as domain_count, min(${d.certNotAfter}) as next_cert_not_after,
        sum(${d.requests24h}) as requests, sum(${d.bytesOut24h}) as bytes_out,
        sum(${d.errorRate5xx24h} * ${d.requests24h}) as errors,
        sum(${d.requests24h}) filter (where ${d.errorRate5xx24h} is not null) as requests_with_rate
      from ${d} where ${d.deletedAt} is null group by ${d.proxyId}
    ) totals on totals.proxy_id = ${p.id}`,
  },
  active: sql`${p.deletedAt} is null`,
  id: sql`${p.id}`,
  columns: {
    ...toFilterableColumns(selectFieldColumns(p, listResponseFieldNames(proxiesCollection))),
    health: createRelationColumn(p.health, "text", {
      order: createRankOrder(p.health, ["DOWN", "DEGRADED", "UNKNOWN", "UP"])!,
    }),
    domainCount: createRelationColumn(sql`coalesce(totals.domain_count, 0)`, "bigint", { join: "totals" }),
    nextCertNotAfter: createRelationColumn(sql`totals.next_cert_not_after`, "timestamptz", totalsJoin),
    daysLeft: createRelationColumn(certificateDaysLeftSql(sql`totals.next_cert_not_after`), "integer", totalsJoin),
    requests24h: createRelationColumn(sql`totals.requests`, "numeric", totalsJoin),
    bytesOut24h: createRelationColumn(sql`totals.bytes_out`, "numeric", totalsJoin),
    errorRate5xx24h: createRelationColumn(
      sql`round(totals.errors / nullif(totals.requests_with_rate, 0), 6)`,
      "numeric",
      totalsJoin,
    ),
  },
};
