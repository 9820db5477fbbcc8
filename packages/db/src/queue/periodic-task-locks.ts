import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { isOlderThan } from "../database/interval-sql.ts";
import { maintenanceTurns } from "../schema/maintenance.ts";

const now = sql`clock_timestamp()`;
const longAgo = sql`'-infinity'`;

interface PeriodicLease {
  /** Ends the lease early, so that the next `take` succeeds immediately. Does nothing if another worker has taken the lease since. */
  release(): Promise<void>;
}

export interface PeriodicTaskLocks {
  /**
   * Returns null if a worker took the lease less than `everyMs` ago by Postgres's clock, or if an operator has set its time to `infinity`. Other
   * times in the future count as expired.
   */
  take(name: string, everyMs: number): Promise<PeriodicLease | null>;
}

/**
 * Creates locks that let one worker at a time do a periodic task. A round that takes longer than `everyMs` overlaps the next one of another
 * worker. So the work must be harmless when done twice.
 */
export function createPeriodicTaskLocks(database: Database): PeriodicTaskLocks {
  return {
    take: async (name, everyMs) => {
      const [taken] = await database.query((queries) =>
        queries
          .insert(maintenanceTurns)
          .values({ name, takenAt: now })
          .onConflictDoUpdate({
            target: maintenanceTurns.name,
            set: { takenAt: now },
            // An operator can stop a kind of periodic work by setting its `taken_at` to `infinity`.
            setWhere: sql`${isOlderThan(maintenanceTurns.takenAt, everyMs)} and ${maintenanceTurns.takenAt} < 'infinity'`,
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
