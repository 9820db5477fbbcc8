import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { isPast } from "../database/interval.ts";
import { maintenanceTurns } from "../schema/maintenance.ts";

const now = sql`clock_timestamp()`;
const longAgo = sql`'-infinity'`;

interface PeriodicLease {
  /** Releases it, unless another worker has taken it since: the next round may begin immediately. */
  release(): Promise<void>;
}

export interface PeriodicLeases {
  /** Null if a worker took the lease within `everyMs`, by Postgres's clock. Leases from the future, before a clock change, are free. */
  take(name: string, everyMs: number): Promise<PeriodicLease | null>;
}

/** Leases by a compare-and-set on a row, without an open connection. Work under a lease must be harmless when done twice. */
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
            // Infinity closes a lease by hand.
            setWhere: sql`${isPast(maintenanceTurns.takenAt, everyMs)} and ${maintenanceTurns.takenAt} < 'infinity'`,
          })
          .returning({ takenAt: maintenanceTurns.takenAt }),
      );
      if (taken === undefined) return null;
      const isOwnLease = and(eq(maintenanceTurns.name, name), eq(maintenanceTurns.takenAt, taken.takenAt));
      return {
        release: () =>
          database.query(async (queries) => {
            await queries.update(maintenanceTurns).set({ takenAt: longAgo }).where(isOwnLease);
          }),
      };
    },
  };
}
