import type { QuotaState } from "@reports/core/caller";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { timeAgoSql, timeFromNowSql, isFuture } from "../database/interval-sql.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";

export const rateWindowSeconds = 60;
/**
 * For rate limits up to this number, the exact time of each hit is stored. For larger ones, hits are counted per second: 2,000 times would take
 * 16 kB, rewritten per hit.
 */
const maxExactHits = 100;
const usageRow = z.object({ used: z.coerce.number(), resetSeconds: z.coerce.number().nullable() });

export interface RateLimit {
  readonly name: string;
  readonly key: string;
  readonly limit: number;
}

export interface RateLimitHits extends RateLimit {
  readonly hits: number;
}

export interface RateLimitResult {
  readonly isAllowed: boolean;
  readonly quota: QuotaState;
}

export async function recordRateLimitHit(queries: Queries, limit: RateLimit): Promise<RateLimitResult> {
  return (await recordRateLimitHits(queries, [{ ...limit, hits: 1 }])).get(limit.key)!;
}

/**
 * Counts all hits of a key if its window has capacity for them, and none otherwise. Rows stay locked until the transaction ends, so that concurrent
 * hits are counted one after another. Rows of exact limits are locked first, then the others, each group by key. So API instances with different
 * limits of one caller can deadlock. Returns the result per key.
 */
export async function recordRateLimitHits(
  queries: Queries,
  asked: readonly RateLimitHits[],
): Promise<ReadonlyMap<string, RateLimitResult>> {
  const [exact, counted] = [
    asked.filter(({ limit }) => limit <= maxExactHits),
    asked.filter(({ limit }) => limit > maxExactHits),
  ];
  const rows = await Promise.all([
    exact.length === 0 ? [] : insertHits(queries, { asked: toJson(exact) }),
    counted.length === 0 ? [] : insertCountedHits(queries, { asked: toJson(counted) }),
  ]);
  const usages = new Map(rows.flat().map((row) => [row["key"] as string, row]));
  const hits = asked.map(async (limit): Promise<[string, RateLimitResult]> => {
    const usage = usages.get(limit.key);
    if (usage === undefined) return [limit.key, { isAllowed: false, quota: await findRateLimitQuota(queries, limit) }];
    return [limit.key, { isAllowed: true, quota: toQuota(limit, usage) }];
  });
  return new Map(await Promise.all(hits));
}

function toJson(asked: readonly RateLimitHits[]): string {
  return JSON.stringify(Object.fromEntries(asked.map(({ key, limit, hits }) => [key, { limit, hits }])));
}

export async function findRateLimitQuota(queries: Queries, limit: RateLimit): Promise<QuotaState> {
  const select = limit.limit > maxExactHits ? selectCountedUsage : selectUsage;
  const [row] = await select(queries, { key: limit.key, limit: limit.limit });
  return toQuota(limit, row ?? { used: 0, resetSeconds: null });
}

const windowEnd = timeFromNowSql(rateWindowSeconds * 1000);

const recentHits = sql`array(
  select hit from unnest(w.hits) as hit
  where hit > ${timeAgoSql(rateWindowSeconds * 1000)} and not ${isFuture(sql`hit`)} order by hit)`;

const placeholders = { key: sql.placeholder("key"), limit: sql`${sql.placeholder("limit")}::bigint` };

function usageOf(hits: SQL, limit: SQL): SQL {
  return sql`cardinality(${hits}) as used, extract(epoch from
    (${hits})[greatest(1, cardinality(${hits}) - ${limit} + 1)] - clock_timestamp()) + ${rateWindowSeconds}::double precision as "resetSeconds"`;
}

/** Begins a statement that counts hits. Its JSON parameter (limit and hits per key) is the first, so the rest refers to it as `$1`. */
const asked = sql`with asked as materialized (select key, (value ->> 'hits')::integer as hits from jsonb_each(${sql.placeholder("asked")}::jsonb))`;

const limitOfRow = sql`($1::jsonb -> w.key ->> 'limit')::bigint`;
const hitsOfRow = sql`($1::jsonb -> w.key ->> 'hits')::integer`;
/** clock_timestamp() is the time after the wait for the row's lock. now() would be the start of the transaction. */
const newHits = (hits: SQL): SQL => sql`array_fill(clock_timestamp(), array[${hits}])`;

const insertHits = prepareStatement(
  sql`
    ${asked}
    insert into rate_windows as w (key, hits, expires_at)
    select key, ${newHits(sql`hits`)}, ${windowEnd} from asked order by key
    on conflict (key) do update
      set hits = ${recentHits} || ${newHits(hitsOfRow)}, counts = null, expires_at = ${windowEnd}
      where cardinality(${recentHits}) + ${hitsOfRow} <= ${limitOfRow}
    returning w.key, ${usageOf(sql`w.hits`, limitOfRow)}`,
);

const selectUsage = prepareStatement(
  sql`
    select ${usageOf(sql`recent.hits`, placeholders.limit)}
    from (select ${recentHits} as hits from rate_windows as w where w.key = ${placeholders.key}) as recent`,
);

/** Hits are stored with the end of their second, so that each counts for at least the whole window. */
const second = sql`date_trunc('second', clock_timestamp()) + interval '1 second'`;

/** A rate limit above `maxExactHits` writes rows with a count per second. A lower limit wrote rows without counts, in which each hit counts as 1. */
const recentSeconds = sql`
  select hit, coalesce(count, 1) as count from unnest(w.hits, w.counts) as hits (hit, count)
  where hit > ${timeAgoSql(rateWindowSeconds * 1000)} and not ${isFuture(sql`hit`, 1_000)}`;

const untilOldestLeaves = (oldest: SQL): SQL =>
  sql`extract(epoch from ${oldest} - clock_timestamp()) + ${rateWindowSeconds}::double precision as "resetSeconds"`;

const insertCountedHits = prepareStatement(
  sql`
    ${asked}
    insert into rate_windows as w (key, hits, counts, expires_at)
    select key, array[${second}], array[hits], ${windowEnd} + interval '1 second' from asked order by key
    on conflict (key) do update
      set (hits, counts, expires_at) = (
        select array_agg(hit order by hit), array_agg(count order by hit), ${windowEnd} + interval '1 second'
        from (
          select hit, sum(count)::integer as count
          from (${recentSeconds} union all select ${second}, ${hitsOfRow}) as counted group by hit
        ) as seconds
      )
      where (select coalesce(sum(count), 0) from (${recentSeconds}) as recent) + ${hitsOfRow} <= ${limitOfRow}
    returning w.key, (select sum(count) from unnest(w.counts) as count) as used, ${untilOldestLeaves(sql`w.hits[1]`)}`,
);

const selectCountedUsage = prepareStatement(
  sql`
    select coalesce(sum(recent.count), 0) as used, ${untilOldestLeaves(sql`min(recent.hit)`)}
    from rate_windows as w, lateral (${recentSeconds}) as recent
    where w.key = ${placeholders.key}`,
);

function toQuota({ name, limit }: RateLimit, row: unknown): QuotaState {
  const { used, resetSeconds } = usageRow.parse(row);
  return {
    name,
    limit,
    remaining: Math.max(0, limit - used),
    windowSeconds: rateWindowSeconds,
    resetSeconds: Math.max(1, Math.ceil(resetSeconds ?? rateWindowSeconds)),
  };
}
