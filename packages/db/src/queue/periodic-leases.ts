import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { ago } from "../database/interval.ts";

/** Leases of periodic work, shared by all workers: each round is done by one of them. */
export interface PeriodicLeases {
  /** Takes the lease: true if no worker has taken it within the last `everyMs`, by Postgres's clock. The caller then does this round. */
  take(name: string, everyMs: number): Promise<boolean>;
  /** Releases the lease: the next round may begin at once. */
  release(name: string): Promise<void>;
}

/**
 * Leases in Postgres, by one compare-and-set on a row. Unlike a lock, a lease needs no open connection, and a worker that dies while it
 * holds one delays the work by one round only. Leased work must therefore be harmless when it is done twice.
 */
export function createPeriodicLeases(database: Database): PeriodicLeases {
  return {
    take: (name, everyMs) =>
      database.query(async (queries) => {
        const rows = await queries.execute(sql`
          insert into maintenance_turns (name, taken_at) values (${name}, clock_timestamp())
          on conflict (name) do update set taken_at = clock_timestamp()
          where maintenance_turns.taken_at <= ${ago(everyMs)}
          returning name`);
        return rows.length === 1;
      }),
    release: (name) =>
      database.query(async (queries) => {
        await queries.execute(sql`update maintenance_turns set taken_at = '-infinity' where name = ${name}`);
      }),
  };
}
