import { formatFacts, type ReportTypeDefinition } from "@reports/core/report";
import type { SearchParam } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { createCallQueue, type CallQueue } from "../database/call-queue.ts";
import type { Queries } from "../database/queries.ts";
import { reportRelationOf } from "./report-query.ts";
import { countsAtOnce, isAway, isStopped, type SourceHost } from "./source-databases.ts";

export interface CountRequest {
  readonly definition: ReportTypeDefinition;
  readonly searchParam: SearchParam;
  readonly timezone: string;
}

/** Exact, or too many. Unknown while the source cannot be read (`isAway` if no host serves) or the queue is full (`isRefused`). */
export type RowCount =
  | { readonly kind: "counted"; readonly rows: number }
  | { readonly kind: "many"; readonly atLeast: number }
  | { readonly kind: "unknown"; readonly isAway?: boolean; readonly isRefused?: true };

/** Counts limited in rows and time, cached for a minute per type, filters and time zone. */
export interface RowCounts {
  /** Never rejects. Concurrent requests for the same rows share a count. */
  count(request: CountRequest, hosts: readonly SourceHost[]): Promise<RowCount>;
  isRunning(request: CountRequest): boolean;
}

/** More rows are a long report in every format. */
const countedTo = Math.max(...Object.values(formatFacts).map(({ bulkRows }) => bulkRows)) + 1;
const keptMs = 60_000;
/** After a failure, starts of the type do not wait again. */
const unknownKeptMs = 30_000;
const maxKept = 1_000;
/** Waiting counts at most, and their longest wait; beyond that the number is unknown. */
const [maxWaiting, maxWaitMs] = [8, 1_000];

export function createRowCounts(): RowCounts {
  const kept = new LRUCache<string, Promise<RowCount>>({ max: maxKept, ttl: keptMs });
  const running = new Set<string>();
  const queues = new WeakMap<readonly SourceHost[], CallQueue>();
  const queueOf = (hosts: readonly SourceHost[]): CallQueue => {
    const queue = queues.get(hosts) ?? createCallQueue({ atOnce: countsAtOnce, waiting: maxWaiting });
    queues.set(hosts, queue);
    return queue;
  };

  return {
    async count(request, hosts) {
      const key = keyOf(request);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const counting = countInTurn(queueOf(hosts), request, hosts, () => running.add(key)).finally(() =>
        running.delete(key),
      );
      kept.set(key, counting);
      const counted = await counting;
      if (counted.kind !== "unknown") return counted;
      // Nothing was counted: the queue was too long.
      if (counted.isRefused === true) kept.delete(key);
      else kept.set(key, counting, { ttl: unknownKeptMs });
      return counted;
    },
    isRunning: (request) => running.has(keyOf(request)),
  };
}

function keyOf({ definition, searchParam, timezone }: CountRequest): string {
  const filters = Object.entries(searchParam).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([definition.type, definition.version, filters, timezone]);
}

async function countInTurn(
  queue: CallQueue,
  request: CountRequest,
  hosts: readonly SourceHost[],
  onRun: () => void,
): Promise<RowCount> {
  const release = await queue.acquire("call", AbortSignal.timeout(maxWaitMs)).catch(() => null);
  if (release === null) return { kind: "unknown", isRefused: true };
  return countRows(request, hosts, onRun).finally(release);
}

async function countRows(request: CountRequest, hosts: readonly SourceHost[], onRun: () => void): Promise<RowCount> {
  const countOn = async (queries: Queries): Promise<RowCount> => {
    const { select } = reportRelationOf(request);
    const query = sql`select count(*)::float as rows from (${select([])} limit ${countedTo}::integer) counted`;
    onRun();
    try {
      const [row] = await queries.execute<{ rows: number }>(query);
      const { rows } = row!;
      return rows < countedTo ? { kind: "counted", rows } : { kind: "many", atLeast: rows };
    } catch (error) {
      if (isStopped(error)) return { kind: "many", atLeast: 0 };
      throw error;
    }
  };
  let areAllAway = true;
  for (const host of hosts) {
    try {
      return await host.count(countOn);
    } catch (error) {
      // Another host may answer.
      areAllAway &&= isAway(error);
    }
  }
  return { kind: "unknown", isAway: areAllAway };
}
