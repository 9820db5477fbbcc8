import { checkMigrations, checkQueue, checkRights, createWriteProbe, type Database } from "@reports/db";
import { cacheResult, StillStartingError, type HealthCheck } from "@reports/runtime";
import type { Jobs } from "./jobs/compose-jobs.ts";
import type { Rendering } from "./renderer/compose-rendering.ts";
import type { StoreParts } from "./store/compose-store-parts.ts";
import type { WorkerContext } from "./worker-parts.ts";

/** Checks that rarely fail run at most every 30 s, but every second while they fail. */
const rareCheckTimes = { okMs: 30_000, failureMs: 1_000 };

export function createReadinessChecks(
  { config, clocks }: WorkerContext,
  database: Database,
  parts: { readonly store: StoreParts; readonly rendering: Rendering; readonly jobs: Jobs },
): Readonly<Record<string, HealthCheck>> {
  const { queueSchema } = config;
  const databaseUrl = config.databaseUrl.reveal();
  const { host } = parts.rendering;
  const { runner, heartbeat } = parts.jobs;
  return {
    database: async () => database.check(),
    writes: createWriteProbe(database),
    migrations: cacheResult(async () => {
      const { problem } = await checkMigrations({ databaseUrl, queueSchema });
      if (problem !== null) throw new Error(problem);
    }, rareCheckTimes),
    queue: cacheResult(async () => checkQueue(database, queueSchema), { okMs: 5_000, failureMs: 1_000 }),
    rights: cacheResult(async () => checkRights(database, { role: "worker", queueSchema }), rareCheckTimes),
    storage: async (signal) => {
      await parts.store.watch.check(signal);
      await host.checkOf("store")(signal);
    },
    spool: host.checkOf("spool"),
    renderers: host.checkOf("renderers"),
    runner: async () => {
      if (!runner.isRunning()) throw new StillStartingError("The worker takes no jobs.");
    },
    heartbeat: async () => {
      const ageMs = heartbeat.ageMs();
      if (ageMs === null) throw new StillStartingError("The worker's heartbeat has not reached the database yet.");
      if (ageMs > clocks.life.graceMs) throw new Error("The worker's heartbeat does not reach the database.");
    },
  };
}
