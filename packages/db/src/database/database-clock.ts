import { createMonotonicClock, type Clock } from "@reports/core/base";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "./database.ts";

export interface DatabaseClock {
  /** Returns Postgres's time as last read, advanced by this machine's monotonic clock. Before the first reading, returns the machine's wall clock. */
  readonly now: Clock;
  start(): Promise<void>;
  stop(): void;
}

const readEveryMs = 10_000;
const row = z.object({ now: z.coerce.date() });

/** Creates a clock that follows Postgres's clock, so that all processes agree on the time. It ignores a failed reading. */
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
