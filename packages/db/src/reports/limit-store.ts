import { createHash } from "node:crypto";
import type { LoginAttempt, LoginLimits, ExhaustedLoginLimit, LoginThrottle } from "@reports/core/caller";
import type { DownloadLinkThrottle } from "@reports/core/report";
import { lte, or, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { isFuture } from "../database/interval-sql.ts";
import { rateWindows } from "../schema/rate-windows.ts";
import { findRateLimitQuota, recordRateLimitHit, rateWindowSeconds, type RateLimit } from "./rate-hits.ts";

export function createLoginThrottle(database: Database, limits: LoginLimits): LoginThrottle {
  return {
    findExhausted: async (attempt) =>
      database.query(async (queries) => {
        for (const { by, ...limit } of loginLimits(attempt, limits)) {
          const quota = await findRateLimitQuota(queries, limit);
          if (quota.remaining === 0) return { by, quota };
        }
        return null;
      }),
    countFailure: async (attempt) =>
      database.transaction(async (tx) => {
        for (const { by, ...limit } of loginLimits(attempt, limits)) {
          const { isAllowed, quota } = await recordRateLimitHit(tx, limit);
          if (!isAllowed) return { by, quota };
        }
        return null;
      }),
  };
}

export function createDownloadLinkThrottle(database: Database, limit: number): DownloadLinkThrottle {
  return {
    countFailure: async (address) => {
      if (limit === 0) return null;
      const counted = { name: "link-failures", key: `link-address:${address}`, limit };
      return database.transaction(async (tx) => {
        const { isAllowed, quota } = await recordRateLimitHit(tx, counted);
        return isAllowed ? null : quota;
      });
    },
  };
}

/** Removes expired rate windows, and those that end too far in the future because Postgres's clock was set back. Returns their number. */
export async function removeStaleRateWindows(database: Database): Promise<number> {
  return database.query(async (queries) => {
    const rows = await queries
      .delete(rateWindows)
      .where(
        or(lte(rateWindows.expiresAt, sql`now()`), isFuture(rateWindows.expiresAt, (rateWindowSeconds + 1) * 1000)),
      )
      .returning({ key: rateWindows.key });
    return rows.length;
  });
}

function loginLimits(
  { address, account }: LoginAttempt,
  limits: LoginLimits,
): readonly (RateLimit & Pick<ExhaustedLoginLimit, "by">)[] {
  // The stored key contains a hash, because people sometimes type their password into the field of the user name.
  const accountHash = createHash("sha256").update(account).digest("base64url");
  return [
    { by: "address", name: "login-failures", key: `login-address:${address}`, limit: limits.perAddress } as const,
    { by: "account", name: "account-failures", key: `login-account:${accountHash}`, limit: limits.perAccount } as const,
  ].filter(({ limit }) => limit > 0);
}
