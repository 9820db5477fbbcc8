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

export function psqlCopyArguments(databaseUrl: string, query: string, path: string, options = "format csv"): string[] {
  return [databaseUrl, "-X", "-q", "-c", String.raw`\copy (${query}) to '${path}' (${options})`];
}

/** Returns the arguments with which psql writes each row as a JSON object on a line of its own. */
export function psqlJsonArguments(databaseUrl: string, query: string, path: string): string[] {
  // JSON texts contain no control characters. With these options, csv quotes and escapes nothing. The text format would double backslashes.
  const options = String.raw`format csv, quote E'\x01', delimiter E'\x02'`;
  return psqlCopyArguments(databaseUrl, `select row_to_json(r) from (${query}) as r`, path, options);
}
