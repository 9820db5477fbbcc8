import { createHash } from "node:crypto";
import {
  RateLimitedError,
  type LoginAttempt,
  type LoginLimits,
  type LoginRefusal,
  type LoginThrottle,
  type QuotaState,
} from "@reports/core/caller";
import type { LinkThrottle, StartLimits } from "@reports/core/report";
import { lte, or, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import { rateWindows } from "../schema/rate-windows.ts";
import { ago, fromNow, isFuture } from "../database/interval.ts";

const windowSeconds = 60;
/** The highest limit for which each start's exact time is stored. Above it, starts are counted per second: 2,000 exact times would be 16 kB, rewritten at each start. */
const maxExactHits = 100;
const usageRow = z.object({ used: z.coerce.number(), resetSeconds: z.coerce.number().nullable() });

interface Limit {
  readonly name: string;
  readonly key: string;
  readonly limit: number;
}

interface Hit {
  readonly isAllowed: boolean;
  readonly quota: QuotaState;
}

export interface StartPermits {
  /** The remaining quotas after each start, in the order of the starts. */
  readonly quotas: readonly (readonly QuotaState[])[];
  /** The limit that the starts would exceed; null if all may start. The transaction must then roll back. */
  readonly refusal: RateLimitedError | null;
}

/** Counts all starts or none in the transaction that writes them, and the unfinished reports. Other starts of the principal wait until it ends. */
export async function recordStarts(
  queries: Queries,
  principalId: string,
  { perMinute, unfinished }: StartLimits,
  starts: number,
): Promise<StartPermits> {
  const key = `starts:${principalId}`;
  // The statements are sent together and run in order. The second one thus counts unfinished reports after the first one has the lock.
  const [hit, open] = await Promise.all([
    perMinute > 0 ? recordHits(queries, { name: "starts", key, limit: perMinute }, starts) : undefined,
    unfinished > 0
      ? countUnfinished(queries, principalId, unfinished, { starts, lock: perMinute > 0 ? null : key })
      : undefined,
  ]);
  const remaining = [hit?.quota, open?.quota].filter((quota) => quota !== undefined);
  const quotas = Array.from({ length: starts }, (_, index) =>
    remaining.map((quota) => ({ ...quota, remaining: quota.remaining + (starts - 1 - index) })),
  );
  if (hit?.isAllowed === false) return { quotas, refusal: tooManyStarts(hit.quota) };
  if (open?.isAllowed === false) return { quotas, refusal: tooManyUnfinished(open.quota) };
  return { quotas, refusal: null };
}

export function maxStarts({ perMinute, unfinished }: StartLimits): number {
  return Math.min(perMinute || Infinity, unfinished || Infinity);
}

/** Creates a throttle of failed logins whose counters are in Postgres. docs/reference/limits.md#limits-of-requests. */
export function createLoginThrottle(database: Database, limits: LoginLimits): LoginThrottle {
  return {
    findExhausted: async (attempt) =>
      database.query(async (queries) => {
        for (const { by, ...limit } of loginLimits(attempt, limits)) {
          const quota = await findQuota(queries, limit);
          if (quota.remaining === 0) return { by, quota };
        }
        return null;
      }),
    countFailure: async (attempt) =>
      database.transaction(async (tx) => {
        for (const { by, ...limit } of loginLimits(attempt, limits)) {
          const { isAllowed, quota } = await recordHit(tx, limit);
          if (!isAllowed) return { by, quota };
        }
        return null;
      }),
  };
}

/** Creates a throttle of link tokens that match no link. Its counters are in Postgres. docs/reference/limits.md#limits-of-requests. */
export function createLinkThrottle(database: Database, limit: number): LinkThrottle {
  return {
    countFailure: async (address) => {
      if (limit === 0) return null;
      const counted = { name: "link-failures", key: `link-address:${address}`, limit };
      return database.transaction(async (tx) => {
        const { isAllowed, quota } = await recordHit(tx, counted);
        return isAllowed ? null : quota;
      });
    },
  };
}

/** Removes expired windows and returns their number. */
export async function removeStaleWindows(database: Database): Promise<number> {
  return database.query(async (queries) => {
    const rows = await queries
      .delete(rateWindows)
      .where(or(lte(rateWindows.expiresAt, sql`now()`), isFuture(rateWindows.expiresAt, (windowSeconds + 1) * 1000)))
      .returning({ key: rateWindows.key });
    return rows.length;
  });
}

function loginLimits(
  { address, account }: LoginAttempt,
  limits: LoginLimits,
): readonly (Limit & Pick<LoginRefusal, "by">)[] {
  // Hashed, because people sometimes type their password as the user name.
  const accountHash = createHash("sha256").update(account).digest("base64url");
  return [
    { by: "address", name: "login-failures", key: `login-address:${address}`, limit: limits.perAddress } as const,
    { by: "account", name: "account-failures", key: `login-account:${accountHash}`, limit: limits.perAccount } as const,
  ].filter(({ limit }) => limit > 0);
}

async function recordHit(queries: Queries, limit: Limit): Promise<Hit> {
  return recordHits(queries, limit, 1);
}

/** Counts hits if the window has capacity for all of them. The row stays locked until the transaction ends, so that hits of one key are counted one after another. */
async function recordHits(queries: Queries, limit: Limit, hits: number): Promise<Hit> {
  const insert = limit.limit > maxExactHits ? insertCountedHits : insertHits;
  const [usage] = await insert(queries, { key: limit.key, limit: limit.limit, hits });
  return usage === undefined
    ? { isAllowed: false, quota: await findQuota(queries, limit) }
    : { isAllowed: true, quota: toQuota(limit, usage) };
}

async function findQuota(queries: Queries, limit: Limit): Promise<QuotaState> {
  const select = limit.limit > maxExactHits ? selectCountedUsage : selectUsage;
  const [row] = await select(queries, { key: limit.key, limit: limit.limit });
  return toQuota(limit, row ?? { used: 0, resetSeconds: null });
}

const windowEnd = fromNow(windowSeconds * 1000);

/** The row's hits within the window, oldest first. */
const recentHits = sql`array(
  select hit from unnest(w.hits) as hit
  where hit > ${ago(windowSeconds * 1000)} and not ${isFuture(sql`hit`)} order by hit)`;

const placeholders = { key: sql.placeholder("key"), limit: sql`${sql.placeholder("limit")}::bigint` };

/** Returns SQL for the number of hits, and for the seconds until the oldest hits have left the window and another hit is possible. */
function usageOf(hits: SQL): SQL {
  return sql`cardinality(${hits}) as used, extract(epoch from
    (${hits})[greatest(1, cardinality(${hits}) - ${placeholders.limit} + 1)] - clock_timestamp()) + ${windowSeconds}::double precision as "resetSeconds"`;
}

const given = sql`${sql.placeholder("hits")}::integer`;
/** Hits get the time at which they are written, after the row was locked. */
const newHits = sql`array_fill(clock_timestamp(), array[${given}])`;

const insertHits = prepareStatement(
  sql`
    insert into rate_windows as w (key, hits, expires_at)
    values (${placeholders.key}, ${newHits}, ${windowEnd})
    on conflict (key) do update
      set hits = ${recentHits} || ${newHits}, counts = null, expires_at = ${windowEnd}
      where cardinality(${recentHits}) + ${given} <= ${placeholders.limit}
    returning ${usageOf(sql`w.hits`)}`,
);

const selectUsage = prepareStatement(
  sql`
    select ${usageOf(sql`recent.hits`)}
    from (select ${recentHits} as hits from rate_windows as w where w.key = ${placeholders.key}) as recent`,
);

/** The end of the current second. Hits are stored with it, so that each counts for at least a minute. */
const second = sql`date_trunc('second', clock_timestamp()) + interval '1 second'`;

/** The row's seconds within the window, with the number of hits in each. */
const recentSeconds = sql`
  select hit, coalesce(count, 1) as count from unnest(w.hits, w.counts) as hits (hit, count)
  where hit > ${ago(windowSeconds * 1000)} and not ${isFuture(sql`hit`, 1_000)}`;

const untilOldestLeaves = (oldest: SQL): SQL =>
  sql`extract(epoch from ${oldest} - clock_timestamp()) + ${windowSeconds}::double precision as "resetSeconds"`;

const insertCountedHits = prepareStatement(
  sql`
    insert into rate_windows as w (key, hits, counts, expires_at)
    values (${placeholders.key}, array[${second}], array[${given}], ${windowEnd} + interval '1 second')
    on conflict (key) do update
      set (hits, counts, expires_at) = (
        select array_agg(hit order by hit), array_agg(count order by hit), ${windowEnd} + interval '1 second'
        from (
          select hit, sum(count)::integer as count
          from (${recentSeconds} union all select ${second}, ${given}) as counted group by hit
        ) as seconds
      )
      where (select coalesce(sum(count), 0) from (${recentSeconds}) as recent) + ${given} <= ${placeholders.limit}
    returning (select sum(count) from unnest(w.counts) as count) as used, ${untilOldestLeaves(sql`w.hits[1]`)}`,
);

const selectCountedUsage = prepareStatement(
  sql`
    select coalesce(sum(recent.count), 0) as used, ${untilOldestLeaves(sql`min(recent.hit)`)}
    from rate_windows as w, lateral (${recentSeconds}) as recent
    where w.key = ${placeholders.key}`,
);

// Counts the principal's unfinished reports, without scheduled runs. The states are literals, as in the partial indexes. Stops at the limit.
const selectUnfinished = prepareStatement(
  sql`
    select count(*) as used, null as "resetSeconds" from (
      (select from reports where requested_by = ${placeholders.key} and schedule_id is null and status in ('QUEUED', 'RUNNING')
        order by created_at limit ${placeholders.limit})
      union all
      (select from reports where counted_for = ${placeholders.key} and status in ('QUEUED', 'RUNNING')
        order by created_at limit ${placeholders.limit})
      limit ${placeholders.limit}
    ) as counted`,
);

const lockKey = prepareStatement(sql`select pg_advisory_xact_lock(hashtextextended(${placeholders.key}, 0))`);

function toQuota({ name, limit }: Limit, row: unknown): QuotaState {
  const { used, resetSeconds } = usageRow.parse(row);
  return {
    name,
    limit,
    remaining: Math.max(0, limit - used),
    windowSeconds,
    resetSeconds: Math.max(1, Math.ceil(resetSeconds ?? windowSeconds)),
  };
}

async function countUnfinished(
  queries: Queries,
  principalId: string,
  limit: number,
  { starts, lock }: { readonly starts: number; readonly lock: string | null },
): Promise<Hit> {
  // Without a limit per minute no row is locked. An advisory lock then makes the starts of a principal count one after another.
  const [, [row]] = await Promise.all([
    lock === null ? undefined : lockKey(queries, { key: lock }),
    selectUnfinished(queries, { key: principalId, limit }),
  ]);
  const { used } = usageRow.parse(row);
  const remaining = Math.max(0, limit - used - starts);
  return {
    isAllowed: used + starts <= limit,
    quota: { name: "unfinished", limit, remaining, windowSeconds: null, resetSeconds: null },
  };
}

function tooManyStarts(quota: QuotaState): RateLimitedError {
  const seconds = quota.resetSeconds ?? windowSeconds;
  return new RateLimitedError(
    "too-many-starts",
    `Limit of ${quota.limit.toLocaleString("en-US")} report starts per minute reached; retry in ${seconds} s.`,
    { retryAfterSeconds: seconds, quotas: [quota] },
  );
}

function tooManyUnfinished(quota: QuotaState): RateLimitedError {
  return new RateLimitedError(
    "too-many-unfinished",
    `Limit of ${quota.limit.toLocaleString("en-US")} unfinished reports reached; wait until one of them ends, or cancel one.`,
    { retryAfterSeconds: 5, quotas: [quota] },
  );
}
