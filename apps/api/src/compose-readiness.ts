import { checkMigrations, checkQueue, checkRights, createWriteProbe, type Database } from "@reports/db";
import { remember, StartingError, type Check, type Lifecycle } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";

/** Readiness needs no credentials, so each part is checked at most once per second, however often a probe asks. */
const everySecond = { okMs: 1_000, failureMs: 1_000 };
const rarely = { okMs: 30_000, failureMs: 1_000 };

/** Creates the checks of readiness. */
export function composeReadiness(
  { databaseUrl, queueSchema }: Pick<ApiConfig, "databaseUrl" | "queueSchema">,
  database: Database,
  { lifecycle, hasStarted }: { readonly lifecycle: Pick<Lifecycle, "signal">; readonly hasStarted: () => boolean },
): Readonly<Record<string, Check>> {
  return {
    database: remember(async () => database.check(), everySecond),
    writes: createWriteProbe(database),
    migrations: remember(async () => {
      const { problem } = await checkMigrations({ databaseUrl: databaseUrl.reveal(), queueSchema });
      if (problem !== null) throw new Error(problem);
    }, rarely),
    // Rarely wrong, but starts are refused while it is.
    queue: remember(async () => checkQueue(database, queueSchema), { okMs: 5_000, failureMs: 1_000 }),
    rights: remember(async () => checkRights(database, { role: "api", queueSchema }), rarely),
    running: async () => {
      lifecycle.signal.throwIfAborted();
      if (!hasStarted()) throw new StartingError("The process is starting.");
    },
  };
}
