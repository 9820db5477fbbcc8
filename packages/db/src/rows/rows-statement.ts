import { connect, readLiterals, withLiterals } from "../database/pg-connection.ts";
import { rowsQuery, type SortedRows } from "./report-query.ts";

/** Returns the SQL of a report with its values inserted, for EXPLAIN and for measurements. */
export async function readRowsStatement(databaseUrl: string, request: SortedRows): Promise<string> {
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
