import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queries } from "./queries.ts";

/** Deletes at most `limit` rows that match `where`, and returns their number. */
export async function deleteSome(
  queries: Queries,
  table: PgTable & { readonly id: AnyPgColumn },
  where: SQL,
  limit: number,
): Promise<number> {
  const some = sql`select ${table.id} from ${table} where ${where} limit ${limit}`;
  const rows = await queries
    .delete(table)
    .where(sql`${table.id} in (${some})`)
    .returning({ id: table.id });
  return rows.length;
}
