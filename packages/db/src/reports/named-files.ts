import type { NamedFile, ReportIdRange } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { timeAgoSql } from "../database/interval-sql.ts";

const page = 1_000;

const namedFile = z.object({ key: z.string(), sizeBytes: z.number() });
const ownedFiles = z.array(namedFile.extend({ owner: z.string() }));
const namedFiles = z.array(namedFile);

// The driver returns a bigint as text. No stored size exceeds 2^53, so a double holds it exactly.
const fileColumns = sql`file_storage_key as key, file_size_bytes::double precision as "sizeBytes"`;

export async function* readNamedFiles(
  database: Database,
  { after, upTo }: ReportIdRange,
  minAgeMs: number,
): AsyncGenerator<readonly NamedFile[]> {
  const isBelow = upTo === null ? sql`true` : sql`owner <= ${upTo}::uuid`;
  for (let beyond = after === null ? sql`true` : sql`owner > ${after}::uuid`; ;) {
    const rows = await database.query(async (queries) =>
      ownedFiles.parse([
        ...(await queries.execute(sql`
          select owner, key, "sizeBytes" from (
            select id as owner, ${fileColumns} from reports where not holds_rows and ${isNamed(minAgeMs)}
            union all
            select file_of, ${fileColumns} from reports where holds_rows and file_of is not null and ${isNamed(minAgeMs)}
          ) as named
          where ${beyond} and ${isBelow}
          order by owner, key limit ${page}`)),
      ]),
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return;
    beyond = sql`owner >= ${last.owner}::uuid and (owner, key) > (${last.owner}::uuid, ${last.key})`;
  }
}

/**
 * Returns at most `count` random files. Reads random blocks with ten times as many records, because many records have no file, and the records of one
 * block are of the same time. Reads the whole table if Postgres has not counted its rows yet.
 */
export async function readRandomNamedFiles(
  database: Database,
  count: number,
  minAgeMs: number,
): Promise<readonly NamedFile[]> {
  const share = sql`(select case when reltuples > 0 then least(100, 1000.0 * ${count}::float / reltuples) else 100 end from pg_class where oid = 'reports'::regclass)`;
  return database.query(async (queries) => {
    const rows = await queries.execute(sql`
      select ${fileColumns} from reports tablesample system (${share})
      where ${isNamed(minAgeMs)} order by random() limit ${count}`);
    return namedFiles.parse([...rows]);
  });
}

function isNamed(minAgeMs: number): SQL {
  return sql`status = 'SUCCEEDED' and deleted_at is null and file_storage_key is not null and finished_at < ${timeAgoSql(minAgeMs)}`;
}
