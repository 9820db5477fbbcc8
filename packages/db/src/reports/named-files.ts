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

/** Number of random blocks of the table `reports` that a sample reads. With the default times of retention, they name about 1,000 files. */
const sampledBlocks = 1_000;

/** Returns at most `count` random files of random blocks, which need no statistics of the table. */
export async function readRandomNamedFiles(
  database: Database,
  count: number,
  minAgeMs: number,
): Promise<readonly NamedFile[]> {
  const blocks = sql`greatest(1, pg_relation_size('reports') / current_setting('block_size')::bigint)`;
  return database.query(async (queries) => {
    const rows = await queries.execute(sql`
      select ${fileColumns} from reports tablesample system (least(100, 100.0 * ${sampledBlocks}::integer / ${blocks}))
      where ${isNamed(minAgeMs)}
        and not exists (select from file_mismatches where storage_key = file_storage_key and kind = 'no-object')
      order by random() limit ${count}`);
    return namedFiles.parse([...rows]);
  });
}

function isNamed(minAgeMs: number): SQL {
  return sql`status = 'SUCCEEDED' and deleted_at is null and file_storage_key is not null and finished_at < ${timeAgoSql(minAgeMs)}`;
}
