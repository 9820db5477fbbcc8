import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { ago } from "../database/interval.ts";

/** Shares periodic work between all workers: each round is done by one of them. */
export interface Turns {
  /** Whether the caller is to do this round: nobody has begun one within the last `everyMs`, by Postgres's clock. */
  take(name: string, everyMs: number): Promise<boolean>;
  /** The next round may begin at once. */
  giveBack(name: string): Promise<void>;
}

/**
 * Turns in Postgres, by one compare-and-set on a row. Unlike a lock it needs no connection to be held, and a worker that dies in its
 * turn delays the work by one round only; whoever takes a turn must therefore do what is harmless when done twice.
 */
export function createTurns(database: Database): Turns {
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
    giveBack: (name) =>
      database.query(async (queries) => {
        await queries.execute(sql`update maintenance_turns set taken_at = '-infinity' where name = ${name}`);
      }),
  };
}
