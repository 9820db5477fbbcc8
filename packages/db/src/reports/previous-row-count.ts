import type { SearchParam } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { reports } from "../schema/reports.ts";

const maxSearchedReports = 500;

const rowCountSchema = z.array(z.object({ rows: z.coerce.number() })).max(1);

/** Returns the row count of the latest report of the type with the same filters. Returns null if none of the latest 500 reports has them. */
export async function readPreviousRowCount(
  queries: Queries,
  reportType: string,
  searchParam: SearchParam,
): Promise<number | null> {
  const r = reports;
  const found = await queries.execute(sql`
    select rows from (
      select ${r.rowCount} as rows, ${r.searchParam} as filters, ${r.createdAt} as at, ${r.id} as id from ${r}
      where ${r.reportType} = ${reportType} and ${r.deletedAt} is null and ${r.fileOf} is null
      order by ${r.createdAt} desc, ${r.id} desc limit ${maxSearchedReports}::integer
    ) late
    where rows is not null and filters = ${JSON.stringify(searchParam)}::jsonb
    order by at desc, id desc limit 1`);
  return rowCountSchema.parse([...found])[0]?.rows ?? null;
}
