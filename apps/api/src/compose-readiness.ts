import { checkMigrations, checkQueue, checkRights, createWriteProbe, type Database } from "@reports/db";
import { cacheResult, StillStartingError, type HealthCheck, type Lifecycle } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";

/** Anyone can request /health/ready, so the API runs each check at most once per second. */
const shortReuse = { okMs: 1_000, failureMs: 1_000 };
const longReuse = { okMs: 30_000, failureMs: 1_000 };

export function composeReadiness(
  { databaseUrl, queueSchema }: Pick<ApiConfig, "databaseUrl" | "queueSchema">,
  database: Database,
  { lifecycle, hasStarted }: { readonly lifecycle: Pick<Lifecycle, "signal">; readonly hasStarted: () => boolean },
): Readonly<Record<string, HealthCheck>> {
  return {
    database: cacheResult(async () => database.check(), shortReuse),
    writes: createWriteProbe(database),
    migrations: cacheResult(async () => {
      const { problem } = await checkMigrations({ databaseUrl: databaseUrl.reveal(), queueSchema });
      if (problem !== null) throw new Error(problem);
    }, longReuse),
    // While the queue does not work, every start of a report fails. So the result of this check is reused for only a few seconds.
    queue: cacheResult(async () => checkQueue(database, queueSchema), { okMs: 5_000, failureMs: 1_000 }),
    rights: cacheResult(async () => checkRights(database, { role: "api", queueSchema }), longReuse),
    running: async () => {
      lifecycle.signal.throwIfAborted();
      if (!hasStarted()) throw new StillStartingError("The process is starting.");
    },
  };
}
