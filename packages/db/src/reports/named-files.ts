import type { ReportIdRange } from "@reports/core/report";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { timeAgoSql } from "../database/interval-sql.ts";

const page = 1_000;

const namedRows = z.array(z.object({ owner: z.string(), key: z.string() }));

export async function* readNamedFiles(
  database: Database,
  { after, upTo }: ReportIdRange,
  minAgeMs: number,
): AsyncGenerator<readonly string[]> {
  const isNamed = sql`status = 'SUCCEEDED' and deleted_at is null and file_storage_key is not null and finished_at < ${timeAgoSql(minAgeMs)}`;
  const isBelow = upTo === null ? sql`true` : sql`owner <= ${upTo}::uuid`;
  for (let beyond = after === null ? sql`true` : sql`owner > ${after}::uuid`; ;) {
    const rows = await database.query(async (queries) =>
      namedRows.parse([
        ...(await queries.execute(sql`
          select owner, key from (
            select id as owner, file_storage_key as key from reports where not holds_rows and ${isNamed}
            union all
            select file_of, file_storage_key from reports where holds_rows and file_of is not null and ${isNamed}
          ) as named
          where ${beyond} and ${isBelow}
          order by owner, key limit ${page}`)),
      ]),
    );
    if (rows.length > 0) yield rows.map(({ key }) => key);
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return;
    beyond = sql`owner >= ${last.owner}::uuid and (owner, key) > (${last.owner}::uuid, ${last.key})`;
  }
}
