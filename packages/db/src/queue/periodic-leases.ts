import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { isPast } from "../database/interval.ts";
import { maintenanceTurns } from "../schema/maintenance.ts";

const now = sql`clock_timestamp()`;
const longAgo = sql`'-infinity'`;

/** A lease as one worker has taken it. */
interface PeriodicLease {
  /** Releases it, unless it has lapsed and another worker has taken it since: the next round may begin at once. */
  release(): Promise<void>;
}

/** Leases of periodic work, shared by all workers: each round is done by one of them. */
export interface PeriodicLeases {
  /**
   * Takes the lease: null if a worker has taken it within the last `everyMs`, by Postgres's clock. Otherwise the caller does this round.
   * A lease that was taken in the future, before the clock was set back, is free.
   */
  take(name: string, everyMs: number): Promise<PeriodicLease | null>;
}

/**
 * Leases in Postgres, by one compare-and-set on a row. Unlike a lock, a lease needs no open connection, and a worker that dies while it
 * holds one delays the work by one round only. Leased work must therefore be harmless when it is done twice.
 */
export function createPeriodicLeases(database: Database): PeriodicLeases {
  return {
    take: async (name, everyMs) => {
      const [taken] = await database.query((queries) =>
        queries
          .insert(maintenanceTurns)
          .values({ name, takenAt: now })
          .onConflictDoUpdate({
            target: maintenanceTurns.name,
            set: { takenAt: now },
            // Infinity is no time of a clock: it closes a lease by hand.
            setWhere: sql`${isPast(maintenanceTurns.takenAt, everyMs)} and ${maintenanceTurns.takenAt} < 'infinity'`,
          })
          .returning({ takenAt: maintenanceTurns.takenAt }),
      );
      if (taken === undefined) return null;
      const ours = and(eq(maintenanceTurns.name, name), eq(maintenanceTurns.takenAt, taken.takenAt));
      return {
        release: () =>
          database.query(async (queries) => {
            await queries.update(maintenanceTurns).set({ takenAt: longAgo }).where(ours);
          }),
      };
    },
  };
}
