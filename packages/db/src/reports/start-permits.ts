import { RateLimitedError, type QuotaState } from "@reports/core/caller";
import type { StartLimits } from "@reports/core/report";
import { sql } from "drizzle-orm";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { recordHits, windowSeconds, type Hit, type Hits } from "./rate-hits.ts";

/** Starts of one principal that are to be counted together. */
export interface AskedStarts {
  readonly principalId: string;
  readonly limits: StartLimits;
  readonly starts: number;
}

export interface StartPermits {
  /** The remaining quotas after each start, in the order of the starts. */
  readonly quotas: readonly (readonly QuotaState[])[];
  /** The limit that the starts would exceed; null if all may start. The transaction must then roll back. */
  readonly refusal: RateLimitedError | null;
}

/**
 * Counts all starts of a principal or none, in the transaction that writes them, and the unfinished reports. Other starts of the principals
 * wait until it ends. Several principals are locked in the order of their keys, so that transactions with the same ones don't deadlock.
 */
export async function recordStarts(queries: Queries, asked: readonly AskedStarts[]): Promise<readonly StartPermits[]> {
  // The statements are sent together and run in order. The last one thus counts unfinished reports after the others have the locks.
  const [hits, unfinished] = await Promise.all([
    recordHits(
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

function startHits(principalId: string, limit: number, hits: number): Hits {
  return { name: "starts", key: startsKey(principalId), limit, hits };
}

export function maxStarts({ perMinute, unfinished }: StartLimits): number {
  return Math.min(perMinute || Infinity, unfinished || Infinity);
}

// Counts the principals' unfinished reports, without scheduled runs. The states are literals, as in the partial indexes. Stops at the limit.
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

/** Returns the result of each principal. */
async function countUnfinished(queries: Queries, asked: readonly AskedStarts[]): Promise<ReadonlyMap<string, Hit>> {
  if (asked.length === 0) return new Map();
  // Without a limit per minute no row is locked. An advisory lock then makes the starts of a principal count one after another.
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
