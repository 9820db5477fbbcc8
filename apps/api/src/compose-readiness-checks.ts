import { readMigrationState, assertQueueUsable, assertRoleRights, createWriteCheck, type Database } from "@reports/db";
import { createCachedRead, StillStartingError, type HealthCheck, type Lifecycle } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";

/** Anyone can request /health/ready, so the API runs each check at most once per second. */
const shortReuse = { okMs: 1_000, failureMs: 1_000 };
const longReuse = { okMs: 30_000, failureMs: 1_000 };

export function composeReadinessChecks(
  { databaseUrl, queueSchema }: Pick<ApiConfig, "databaseUrl" | "queueSchema">,
  database: Database,
  { lifecycle, hasStarted }: { readonly lifecycle: Pick<Lifecycle, "signal">; readonly hasStarted: () => boolean },
): Readonly<Record<string, HealthCheck>> {
  return {
    database: createCachedRead(async () => database.check(), shortReuse),
    writes: createWriteCheck(database),
    migrations: createCachedRead(async () => {
      const { problem } = await readMigrationState({ databaseUrl: databaseUrl.reveal(), queueSchema });
      if (problem !== null) throw new Error(problem);
    }, longReuse),
    // While the queue does not work, every start of a report fails. So the result of this check is reused for only a few seconds.
    queue: createCachedRead(async () => assertQueueUsable(database, queueSchema), { okMs: 5_000, failureMs: 1_000 }),
    rights: createCachedRead(async () => assertRoleRights(database, { role: "api", queueSchema }), longReuse),
    running: async () => {
      lifecycle.signal.throwIfAborted();
      if (!hasStarted()) throw new StillStartingError("The process is starting.");
    },
  };
}
