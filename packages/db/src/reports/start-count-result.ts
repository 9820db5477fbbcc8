import { RateLimitedError, type QuotaState } from "@reports/core/caller";
import type { StartLimits } from "@reports/core/report";
import { sql } from "drizzle-orm";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { recordRateLimitHits, rateWindowSeconds, type RateLimitResult, type RateLimitHits } from "./rate-hits.ts";

export interface StartCountRequest {
  readonly principalId: string;
  readonly limits: StartLimits;
  readonly starts: number;
}

export interface StartCountResult {
  readonly quotas: readonly (readonly QuotaState[])[];
  /** The limit that the starts exceed, or null. If it is not null, the caller must roll the transaction back. */
  readonly refusal: RateLimitedError | null;
}

/**
 * For each principal, counts all of its starts or none, in the transaction that writes them. Other starts of these principals wait until it ends.
 * Principals are locked in the order of their keys, so that transactions don't deadlock.
 */
export async function countStartsWithinLimits(
  queries: Queries,
  asked: readonly StartCountRequest[],
): Promise<readonly StartCountResult[]> {
  // Postgres runs the statements in the order in which they are sent. So it counts unfinished reports after the limits are locked.
  const [hits, unfinished] = await Promise.all([
    recordRateLimitHits(
      queries,
      asked
        .filter(({ limits }) => limits.perMinute > 0)
        .map(({ principalId, limits, starts }) => startHits(principalId, limits.perMinute, starts)),
    ),
    countUnfinished(
      queries,
      asked.filter(({ limits }) => limits.unfinished > 0),
    ),
  ]);
  return asked.map(({ principalId, starts }) => {
    const [hit, open] = [hits.get(startsKey(principalId)), unfinished.get(principalId)];
    const remaining = [hit?.quota, open?.quota].filter((quota) => quota !== undefined);
    const quotas = Array.from({ length: starts }, (_, index) =>
      remaining.map((quota) => ({ ...quota, remaining: quota.remaining + (starts - 1 - index) })),
    );
    if (hit?.isAllowed === false) return { quotas, refusal: tooManyStarts(hit.quota) };
    if (open?.isAllowed === false) return { quotas, refusal: tooManyUnfinished(open.quota) };
    return { quotas, refusal: null };
  });
}

function startsKey(principalId: string): string {
  return `starts:${principalId}`;
}

function startHits(principalId: string, limit: number, hits: number): RateLimitHits {
  return { name: "starts", key: startsKey(principalId), limit, hits };
}

export function maxStarts({ perMinute, unfinished }: StartLimits): number {
  return Math.min(perMinute || Infinity, unfinished || Infinity);
}

// Stops counting at the limit. Scheduled runs don't count unless a caller ran the schedule by hand. Literal states let Postgres use partial indexes.
const selectUnfinished = prepareStatement(
  sql`
    select asked.key, (select count(*) from (
      (select from reports where requested_by = asked.key and schedule_id is null and status in ('QUEUED', 'RUNNING')
        order by created_at limit asked.most)
      union all
      (select from reports where counted_for = asked.key and status in ('QUEUED', 'RUNNING')
        order by created_at limit asked.most)
      limit asked.most
    ) as counted) as used
    from (select key, value::text::bigint as most from jsonb_each(${sql.placeholder("asked")}::jsonb)) as asked`,
);

const lockKeys = prepareStatement(
  sql`
    select pg_advisory_xact_lock(number)
    from (select hashtextextended(key, 0) as number from jsonb_array_elements_text(${sql.placeholder("keys")}::jsonb) as key order by 1) as sorted`,
);

async function countUnfinished(
  queries: Queries,
  asked: readonly StartCountRequest[],
): Promise<ReadonlyMap<string, RateLimitResult>> {
  if (asked.length === 0) return new Map();
  // Without a limit per minute, recordRateLimitHits locks no row. The advisory lock then makes a principal's concurrent starts wait for each other.
  const unlocked = asked
    .filter(({ limits }) => limits.perMinute === 0)
    .map(({ principalId }) => startsKey(principalId));
  const most = Object.fromEntries(asked.map(({ principalId, limits }) => [principalId, limits.unfinished]));
  const [, rows] = await Promise.all([
    unlocked.length === 0 ? undefined : lockKeys(queries, { keys: JSON.stringify(unlocked) }),
    selectUnfinished(queries, { asked: JSON.stringify(most) }),
  ]);
  const usages = new Map(rows.map((row) => [row["key"], Number(row["used"])]));
  return new Map(
    asked.map(({ principalId, limits: { unfinished: limit }, starts }) => {
      const used = usages.get(principalId)!;
      const remaining = Math.max(0, limit - used - starts);
      const quota = { name: "unfinished", limit, remaining, windowSeconds: null, resetSeconds: null };
      return [principalId, { isAllowed: used + starts <= limit, quota }];
    }),
  );
}

function tooManyStarts(quota: QuotaState): RateLimitedError {
  const seconds = quota.resetSeconds ?? rateWindowSeconds;
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
