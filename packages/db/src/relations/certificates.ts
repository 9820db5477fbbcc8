import { domainIssues, severityThresholds, type DomainIssue } from "@reports/core/inventory";
import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { intervalSql } from "../database/interval-sql.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";
import { bindScalar, joinByComma } from "./relation.ts";

type ThresholdLevel = keyof typeof severityThresholds;

/** Returns SQL for the whole days until the certificate ends, rounded down. In a report, `now()` is the time of its snapshot (`dataAsOf`). */
export function certificateDaysLeftSql(certNotAfter: SQLWrapper): SQL {
  return sql`floor(date_part('epoch', ${certNotAfter} - now()) / 86400)::integer`;
}

/**
 * A certificate that has at least this much time left is OK, regardless of its lifetime. This is true of most certificates, so the slow
 * computation of their thresholds is skipped.
 */
const alwaysOkAfter = daysInterval(widestDays("WARN"));

/** docs/reference/resources/domains.md#derived-values specifies the severity of a certificate. */
export const certificateSeveritySql: SQL = sql`case
  when ${domains.certNotAfter} is null then null
  when ${domains.certNotAfter} < now() then 'EXPIRED'
  when ${domains.certNotAfter} - now() >= ${alwaysOkAfter} then 'OK'
  when ${domains.certNotAfter} - now() < ${thresholdSql("CRITICAL")} then 'CRITICAL'
  when ${domains.certNotAfter} - now() < ${thresholdSql("WARN")} then 'WARN'
  else 'OK' end`;

const conditionOfIssue: Readonly<Record<DomainIssue, SQL>> = {
  CERT_EXPIRED: sql`${domains.certNotAfter} < now()`,
  CERT_EXPIRING: sql`${certificateSeveritySql} in ('CRITICAL', 'WARN')`,
  TLS_TOO_OLD: sql`${domains.tlsMinVersion} in ('TLS1.0', 'TLS1.1') and ${domains.tlsMode} <> 'NONE'`,
  PLAINTEXT_ONLY: sql`${domains.tlsMode} = 'NONE'`,
  HSTS_MISSING: sql`${domains.tlsMode} in ('ACME', 'CUSTOM') and not ${domains.hstsEnabled}`,
  PROXY_DISABLED: sql`${proxies.adminState} = 'DISABLED'`,
  PROXY_DOWN: sql`${proxies.health} = 'DOWN'`,
};

export const domainIssuesSql: SQL = sql`array_remove(array[${joinByComma(
  domainIssues.map((issue) => sql`case when ${conditionOfIssue[issue]} then ${bindScalar(issue, "text")} end`),
)}], null)`;

export function hasAnyDomainIssueSql(values: readonly string[]): SQL {
  const conditions = domainIssues.filter((issue) => values.includes(issue)).map((issue) => conditionOfIssue[issue]);
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

const endConditions: Readonly<Record<string, SQL>> = {
  EXPIRED: sql`${domains.certNotAfter} < now()`,
  CRITICAL: endsWithin("CRITICAL"),
  WARN: endsWithin("WARN"),
  OK: sql`${domains.certNotAfter} >= now()`,
  CERT_EXPIRED: sql`${domains.certNotAfter} < now()`,
  CERT_EXPIRING: endsWithin("WARN"),
};

/** Returns a condition on the certificate's end that all rows with the values meet, for an index. Undefined if a value doesn't depend on that end. */
export function impliedExpiryCondition(values: readonly string[]): SQL | undefined {
  if (!values.every((value) => Object.hasOwn(endConditions, value))) return undefined;
  return sql`(${sql.join(
    values.map((value) => endConditions[value]!),
    sql` or `,
  )})`;
}

function endsWithin(level: ThresholdLevel): SQL {
  const widest = intervalSql(widestDays(level) * 86_400_000);
  return sql`(${domains.certNotAfter} >= now() and ${domains.certNotAfter} < now() + ${widest})`;
}

function thresholdSql(level: ThresholdLevel): SQL {
  const { ceilingDays, floorDays, lifetimeNumerator, lifetimeDenominator } = severityThresholds[level];
  const share = sql`(${domains.certNotAfter} - ${domains.certNotBefore}) * ${lifetimeNumerator}::float8 / ${lifetimeDenominator}::float8`;
  return sql`greatest(least(${share}, ${daysInterval(ceilingDays)}), ${daysInterval(floorDays)})`;
}

function widestDays(level: ThresholdLevel): number {
  const { ceilingDays, floorDays } = severityThresholds[level];
  return Math.max(ceilingDays, floorDays);
}

function daysInterval(count: number): SQL {
  return sql`make_interval(days => ${count}::integer)`;
}
