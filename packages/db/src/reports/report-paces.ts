import type { FormatThroughput, FormatThroughputRequest } from "@reports/core/report";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { bindArray } from "../relations/relation.ts";
import { reports } from "../schema/reports.ts";

const maxSearched = 500;
/**
 * Number of earlier reports from which a median is computed. They are the nearest in row count, because most of a short report's time is overhead.
 */
const sampleSize = 25;
const minReports = 10;

const paceRowSchema = z.object({
  format: z.string(),
  bytesPerRow: z.coerce.number(),
  rowsPerSecond: z.coerce.number(),
});

export async function readFormatThroughputs(
  queries: Queries,
  { reportType, rows, extensions }: FormatThroughputRequest,
): Promise<readonly FormatThroughput[]> {
  const r = reports;
  const wanted = Object.entries(extensions);
  const found = await queries.execute(sql`
    select wanted.format,
      percentile_cont(0.5) within group (order by sample.bytes_per_row) as "bytesPerRow",
      percentile_cont(0.5) within group (order by sample.rows_per_second) as "rowsPerSecond"
    from unnest(${bindArray(wanted.map(([format]) => format))}, ${bindArray(wanted.map(([, extension]) => extension))}) as wanted (format, extension)
    cross join lateral (
      select bytes::double precision / rows as bytes_per_row, rows / greatest(seconds, 0.001) as rows_per_second
      from (
        select ${r.rowCount} as rows, ${r.fileSizeBytes} as bytes, ${r.fileExtension} as extension, ${r.attempt} as attempt,
          extract(epoch from ${r.finishedAt} - ${r.startedAt})::double precision as seconds
        from ${r}
        where ${r.reportType} = ${reportType} and (${r.options} ->> 'format') = wanted.format and ${r.deletedAt} is null and ${r.fileOf} is null
        order by ${r.createdAt} desc, ${r.id} desc limit ${maxSearched}::integer
      ) late
      where late.extension = wanted.extension and attempt = 1 and rows > 0
      order by abs(ln(rows) - ln(${Math.max(rows, 1)}::bigint)) limit ${sampleSize}::integer
    ) sample
    group by wanted.format having count(*) >= ${minReports}::integer`);
  return [...found].map((row) => paceRowSchema.parse(row) as FormatThroughput);
}
