import { z } from "zod";
import type { Database } from "../database/database.ts";
import { queueFunctionNames, queueObjectsVersion, queueVersionPattern } from "./queue-objects.ts";

export interface QueueObjectVersions {
  readonly schema: string | null;
  readonly oldest: number;
  readonly newest: number;
}

const functionNames = queueFunctionNames.map((name) => `'${name}'`).join(", ");

/**
 * Reads the versions of the queue functions from their source text, because an old function can't report its version. Any database role may run
 * this query.
 */
export const queueVersionsStatement = `
  select max(schema) as schema, case when count(*) < ${queueFunctionNames.length} then 0 else min(version) end as oldest, max(version) as newest
  from (
    select coalesce(substring(prosrc from '${queueVersionPattern}')::integer, 0) as version,
      case when proname = 'report_queue_schema' then substring(prosrc from '''(\\w+)''::text') end as schema
    from pg_catalog.pg_proc
    where pronamespace = 'public'::pg_catalog.regnamespace and proname in (${functionNames})
  ) as functions`;

const stateRowSchema = z.object({ schema: z.string().nullable(), oldest: z.number(), newest: z.number().nullable() });

export function parseQueueVersions(rows: Iterable<unknown>): QueueObjectVersions {
  const { newest, ...state } = stateRowSchema.parse([...rows][0]);
  return { ...state, newest: newest ?? 0 };
}

/** Returns why a process with this QUEUE_SCHEMA can't use the queue, or null if it can. Functions of a newer version are compatible. */
export function findQueueProblem({ schema, oldest }: QueueObjectVersions, wanted: string): string | null {
  if (schema !== null && schema !== wanted)
    return `The database's queue is in ${schema}, but QUEUE_SCHEMA of this process is ${wanted}. Set QUEUE_SCHEMA=${schema} for this process, as for all others and for \`migrate\`.`;
  if (oldest < queueObjectsVersion)
    return `The queue's functions in the database have version ${oldest}, and this program needs ${queueObjectsVersion}: an older program or a restore put them back. Run \`migrate\` of this version.`;
  return null;
}

export async function assertQueueUsable(database: Pick<Database, "query">, queueSchema: string): Promise<void> {
  const rows = await database.query((queries) => queries.execute(queueVersionsStatement));
  const problem = findQueueProblem(parseQueueVersions(rows), queueSchema);
  if (problem !== null) throw new Error(problem);
}
