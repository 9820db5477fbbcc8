import { connect, readLiterals, withLiterals } from "../database/pg-connection.ts";
import { rowsQuery, type RowsOf } from "./report-query.ts";

/** The SQL that reads a report's rows, values included, for EXPLAIN and for measuring beside other ways of running the same query. */
export async function readRowsStatement(databaseUrl: string, request: RowsOf): Promise<string> {
  const client = await connect(
    { url: databaseUrl, database: "service", connectTimeoutMs: 5_000, applicationName: "reports-statement" },
    null,
  );
  try {
    const query = rowsQuery(request);
    return withLiterals(query, await readLiterals(client, query));
  } finally {
    await client.end();
  }
}
