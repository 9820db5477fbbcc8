import { builtInReportTypes } from "@reports/core/report";
import { readRowsStatement } from "@reports/db";

/** The query of the whole PROXY_DOMAIN report, every column in its default order, on one line as psql's `\copy` wants it. */
export async function domainReportQuery(databaseUrl: string): Promise<string> {
  const definition = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
  const statement = await readRowsStatement(databaseUrl, {
    timezone: "UTC",
    definition,
    searchParam: {},
    columns: definition.columns,
    sort: definition.defaultSort,
  });
  return statement.replaceAll(/\s+/g, " ");
}

/** Environment of psql so that it gives what the report gives. */
export const psqlEnvironment = { PGTZ: "UTC" };

/** Parameters of psql that copy the query's rows to a file as csv. */
export function psqlCopy(databaseUrl: string, query: string, path: string): string[] {
  return [databaseUrl, "-X", "-q", "-c", String.raw`\copy (${query}) to '${path}' (format csv)`];
}
