import { createMonotonicClock, type Clock } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "./database.ts";

export interface DatabaseClock {
  /** Returns the last time read from Postgres, advanced by this machine's monotonic clock. Before the first reading it returns this machine's wall clock. */
  readonly now: Clock;
  /** Reads Postgres's time, and again every `everyMs`. Resolves after the first reading, even if that failed. */
  start(): Promise<void>;
  stop(): void;
}

const readEveryMs = 10_000;
const row = z.object({ now: z.coerce.date() });

/** Creates a clock that follows Postgres's clock, so that all processes agree on the time. A failed reading keeps the previous one. */
export function createDatabaseClock(
  database: Pick<Database, "query">,
  options: { readonly onFailure: (error: unknown) => void; readonly everyMs?: number },
): DatabaseClock {
  let clock: Clock = () => new Date();
  let timer: NodeJS.Timeout | undefined;
  const read = async (): Promise<void> => {
    try {
      const rows = await database.query((queries) => queries.execute(sql`select clock_timestamp() as now`));
      clock = createMonotonicClock(row.parse(rows[0]).now);
    } catch (error) {
      options.onFailure(error);
    }
  };
  return {
    now: () => clock(),
    async start() {
      await read();
      timer = setInterval(() => void read(), options.everyMs ?? readEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
