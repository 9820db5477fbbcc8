import { connectPgClient, quoteLiterals, replaceQueryPlaceholders } from "../database/pg-connection.ts";
import { buildRowsQuery, type SortedRowRequest } from "./report-query.ts";

/** Returns the SQL of a report's rows with literal values, for EXPLAIN and measurements. Connects to `databaseUrl` to quote them. */
export async function renderRowsQuerySql(databaseUrl: string, request: SortedRowRequest): Promise<string> {
  const client = await connectPgClient(
    { url: databaseUrl, database: "service", connectTimeoutMs: 5_000, applicationName: "reports-statement" },
    null,
  );
  try {
    const query = buildRowsQuery(request);
    return replaceQueryPlaceholders(query, await quoteLiterals(client, query));
  } finally {
    await client.end();
  }
}
