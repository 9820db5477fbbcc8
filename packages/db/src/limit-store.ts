import { createHash } from "node:crypto";
import {
  RateLimitedError,
  type LoginAttempt,
  type LoginLimits,
  type LoginRefusal,
  type LoginThrottle,
  type QuotaState,
  type StartLimits,
} from "@reports/core";
import { lte, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database, Queries } from "./database.ts";
import { rateWindows } from "./schema/rate-windows.ts";

const windowSeconds = 60;
const usageRow = z.object({ used: z.coerce.number(), resetSeconds: z.coerce.number().nullable() });

interface Limit {
  readonly name: string;
  readonly key: string;
  readonly limit: number;
}

/** Takes one start of the principal's, and looks at what they have open, inside the transaction that has just written the report. */
export async function takeStart(
  queries: Queries,
  principalId: string,
  limits: StartLimits,
): Promise<readonly QuotaState[]> {
  const quotas: QuotaState[] = [];
  const key = `starts:${principalId}`;
  if (limits.perMinute > 0) {
    const { taken, quota } = await takeHit(queries, { name: "starts", key, limit: limits.perMinute });
    quotas.push(quota);
    if (!taken) throw tooManyStarts(quota);
  } else if (limits.unfinished > 0) {
    // There is no row that is locked, and the open reports of one principal have to be counted one start after the other.
    await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
  }
  if (limits.unfinished > 0) {
    const quota = await countUnfinished(queries, principalId, limits.unfinished);
    quotas.push(quota);
    if (quota.remaining < 0) throw tooManyUnfinished({ ...quota, remaining: 0 }, limits.unfinished);
  }
  return quotas;
}

/** Failed logins in Postgres. contract §7. */
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
          const { taken, quota } = await takeHit(tx, limit);
          if (!taken) return { by, quota };
        }
        return null;
      }),
  };
}

/** Removes the windows in which nothing counts any more; says how many. */
export async function removeStaleWindows(database: Database): Promise<number> {
  return database.query(async (queries) => {
    const rows = await queries
      .delete(rateWindows)
      .where(lte(rateWindows.expiresAt, sql`now()`))
      .returning({ key: rateWindows.key });
    return rows.length;
  });
}

function loginLimits(
  { address, account }: LoginAttempt,
  limits: LoginLimits,
): readonly (Limit & Pick<LoginRefusal, "by">)[] {
  // Hashed, because what is typed as a name is now and then a password.
  const accountHash = createHash("sha256").update(account).digest("base64url");
  return [
    { by: "address", name: "login-failures", key: `login-address:${address}`, limit: limits.perAddress } as const,
    { by: "account", name: "account-failures", key: `login-account:${accountHash}`, limit: limits.perAccount } as const,
  ].filter(({ limit }) => limit > 0);
}

/**
 * Counts one hit unless the window is full. The row stays locked until the transaction ends, so that hits of one key come one after the
 * other, from whichever instance; times are Postgres's.
 */
async function takeHit(
  queries: Queries,
  limit: Limit,
): Promise<{ readonly taken: boolean; readonly quota: QuotaState }> {
  const rows = await queries.execute(sql`
    insert into rate_windows as w (key, hits, expires_at)
    values (${limit.key}, array[clock_timestamp()], ${windowEnd})
    on conflict (key) do update
      set hits = ${recentHits} || clock_timestamp(), expires_at = ${windowEnd}
      where cardinality(${recentHits}) < ${limit.limit}::bigint
    returning ${usageOf(sql`w.hits`, limit)}`);
  const taken = rows[0];
  return taken === undefined
    ? { taken: false, quota: await findQuota(queries, limit) }
    : { taken: true, quota: toQuota(limit, taken) };
}

async function findQuota(queries: Queries, limit: Limit): Promise<QuotaState> {
  const [row] = await queries.execute(sql`
    select ${usageOf(sql`recent.hits`, limit)}
    from (select ${recentHits} as hits from rate_windows as w where w.key = ${limit.key}) as recent`);
  return toQuota(limit, row ?? { used: 0, resetSeconds: null });
}

const windowEnd = sql`clock_timestamp() + make_interval(secs => ${windowSeconds}::double precision)`;

/** Those hits of a row that still count, oldest first. */
const recentHits = sql`array(
  select hit from unnest(w.hits) as hit
  where hit > clock_timestamp() - make_interval(secs => ${windowSeconds}::double precision) order by hit)`;

/** How many hits there are, and when the next one can be had: when so many of the oldest have left that there is room. */
function usageOf(hits: SQL, { limit }: Limit): SQL {
  return sql`cardinality(${hits}) as used, extract(epoch from
    (${hits})[greatest(1, cardinality(${hits}) - ${limit}::bigint + 1)] - clock_timestamp()) + ${windowSeconds}::double precision as "resetSeconds"`;
}

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

async function countUnfinished(queries: Queries, principalId: string, limit: number): Promise<QuotaState> {
  // The states are written out, because the index on open reports is one on exactly this condition.
  const [row] = await queries.execute(sql`
    select count(*) as used, null as "resetSeconds" from reports
    where requested_by = ${principalId} and status in ('QUEUED', 'RUNNING')`);
  const { used } = usageRow.parse(row);
  return { name: "unfinished", limit, remaining: limit - used, windowSeconds: null, resetSeconds: null };
}

function tooManyStarts(quota: QuotaState): RateLimitedError {
  const seconds = quota.resetSeconds ?? windowSeconds;
  return new RateLimitedError(
    "too-many-starts",
    `${quota.limit} reports were started within a minute, and no more may be. The next one can be started in ${seconds} s.`,
    { retryAfterSeconds: seconds, quotas: [quota] },
  );
}

function tooManyUnfinished(quota: QuotaState, limit: number): RateLimitedError {
  return new RateLimitedError(
    "too-many-unfinished",
    `${limit} reports are waiting or running already, and no more may be. Wait until one of them ends, or cancel one.`,
    { retryAfterSeconds: 5, quotas: [quota] },
  );
}
