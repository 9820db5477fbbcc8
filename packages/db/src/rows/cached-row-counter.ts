import { formatProperties, type ReportTypeDefinition } from "@reports/core/report";
import type { SearchParam } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { createDatabaseCallSemaphore, type DatabaseCallSemaphore } from "../database/database-call-semaphore.ts";
import type { Queries } from "../database/queries.ts";
import { createReportQueryBuilder } from "./report-query.ts";
import { maxConcurrentCounts, isHostUnavailableError, isQueryCanceled, type SourceHost } from "./source-databases.ts";

export interface RowCountRequest {
  readonly definition: ReportTypeDefinition;
  readonly searchParam: SearchParam;
  readonly timezone: string;
}

/**
 * The result of a count. `many`: there are at least `atLeast` rows, and counting stopped. `unknown`: the source can't be read (`isUnavailable` if no
 * host serves), or too many counts were waiting (`isRefused`).
 */
export type RowCountResult =
  | { readonly kind: "counted"; readonly rows: number }
  | { readonly kind: "many"; readonly atLeast: number }
  | { readonly kind: "unknown"; readonly isUnavailable?: boolean; readonly isRefused?: true };

/**
 * Counts rows up to `maxCountedRows`, for at most 500 ms. At most two counts of a source run at a time, and further ones wait briefly. Results are
 * cached for a minute per type, filters and time zone.
 */
export interface CachedRowCounter {
  count(request: RowCountRequest, hosts: readonly SourceHost[]): Promise<RowCountResult>;
  isRunning(request: RowCountRequest): boolean;
}

const maxCountedRows = Math.max(...Object.values(formatProperties).map(({ bulkRows }) => bulkRows)) + 1;
const cachedMs = 60_000;
/** Time in ms for which a failed count is cached. In this time, further starts of the same report do not wait for another count. */
const unknownCachedMs = 30_000;
const maxCached = 1_000;
/** Maximum number of waiting counts per source, and their longest wait in ms. Beyond either, the result is unknown. */
const [maxWaiting, maxWaitMs] = [8, 1_000];

export function createCachedRowCounter(): CachedRowCounter {
  const kept = new LRUCache<string, Promise<RowCountResult>>({ max: maxCached, ttl: cachedMs });
  const running = new Set<string>();
  const queues = new WeakMap<readonly SourceHost[], DatabaseCallSemaphore>();
  const queueOf = (hosts: readonly SourceHost[]): DatabaseCallSemaphore => {
    const queue =
      queues.get(hosts) ?? createDatabaseCallSemaphore({ atOnce: maxConcurrentCounts, waiting: maxWaiting });
    queues.set(hosts, queue);
    return queue;
  };

  return {
    async count(request, hosts) {
      const key = cacheKeyOf(request);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const counting = countWhenPermitted(queueOf(hosts), request, hosts, () => running.add(key)).finally(() =>
        running.delete(key),
      );
      kept.set(key, counting);
      const counted = await counting;
      if (counted.kind !== "unknown") return counted;
      if (counted.isRefused === true) kept.delete(key);
      else kept.set(key, counting, { ttl: unknownCachedMs });
      return counted;
    },
    isRunning: (request) => running.has(cacheKeyOf(request)),
  };
}

function cacheKeyOf({ definition, searchParam, timezone }: RowCountRequest): string {
  const filters = Object.entries(searchParam).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([definition.type, definition.version, filters, timezone]);
}

async function countWhenPermitted(
  queue: DatabaseCallSemaphore,
  request: RowCountRequest,
  hosts: readonly SourceHost[],
  onRun: () => void,
): Promise<RowCountResult> {
  const release = await queue.acquire("call", AbortSignal.timeout(maxWaitMs)).catch(() => null);
  if (release === null) return { kind: "unknown", isRefused: true };
  return countRows(request, hosts, onRun).finally(release);
}

async function countRows(
  request: RowCountRequest,
  hosts: readonly SourceHost[],
  onRun: () => void,
): Promise<RowCountResult> {
  const countOn = async (queries: Queries): Promise<RowCountResult> => {
    const { select } = createReportQueryBuilder(request);
    const query = sql`select count(*)::float as rows from (${select([])} limit ${maxCountedRows}::integer) counted`;
    onRun();
    try {
      const [row] = await queries.execute<{ rows: number }>(query);
      const { rows } = row!;
      return rows < maxCountedRows ? { kind: "counted", rows } : { kind: "many", atLeast: rows };
    } catch (error) {
      if (isQueryCanceled(error)) return { kind: "many", atLeast: 0 };
      throw error;
    }
  };
  let areAllUnavailable = true;
  for (const host of hosts) {
    try {
      return await host.count(countOn);
    } catch (error) {
      areAllUnavailable &&= isHostUnavailableError(error);
    }
  }
  return { kind: "unknown", isUnavailable: areAllUnavailable };
}
