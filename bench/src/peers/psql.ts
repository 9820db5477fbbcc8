import { builtInReportTypes } from "@reports/core/report";
import { renderRowsQuerySql } from "@reports/db";

/** Returns the query of a PROXY_DOMAIN report with all columns in its default order. It is on one line, because psql's `\copy` requires that. */
export async function buildDomainReportQuery(databaseUrl: string): Promise<string> {
  const definition = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
  const statement = await renderRowsQuerySql(databaseUrl, {
    timezone: "UTC",
    definition,
    searchParam: {},
    columns: definition.columns,
    sort: definition.defaultSort,
  });
  return statement.replaceAll(/\s+/g, " ");
}

/** Makes psql write times in UTC, as the report does. Otherwise the files would differ. */
export const psqlEnvironment = { PGTZ: "UTC" };

export function psqlCopyArguments(databaseUrl: string, query: string, path: string): string[] {
  return [databaseUrl, "-X", "-q", "-c", String.raw`\copy (${query}) to '${path}' (format csv)`];
}
