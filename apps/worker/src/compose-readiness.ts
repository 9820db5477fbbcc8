import { readMigrationState, assertQueueUsable, assertRoleRights, createWriteCheck, type Database } from "@reports/db";
import { createCachedRead, StillStartingError, type HealthCheck } from "@reports/runtime";
import type { JobParts } from "./jobs/compose-job-parts.ts";
import type { RenderingParts } from "./renderer/compose-rendering-parts.ts";
import type { StoreParts } from "./store/compose-store-parts.ts";
import type { WorkerContext } from "./worker-parts.ts";

/** Checks that rarely fail run at most every 30 s, but every second while they fail. */
const rareCheckTimes = { okMs: 30_000, failureMs: 1_000 };

export function createReadinessChecks(
  { config, clocks }: WorkerContext,
  database: Database,
  parts: { readonly store: StoreParts; readonly rendering: RenderingParts; readonly jobs: JobParts },
): Readonly<Record<string, HealthCheck>> {
  const { queueSchema } = config;
  const databaseUrl = config.databaseUrl.reveal();
  const { host } = parts.rendering;
  const { runner, heartbeat } = parts.jobs;
  return {
    database: async () => database.check(),
    writes: createWriteCheck(database),
    migrations: createCachedRead(async () => {
      const { problem } = await readMigrationState({ databaseUrl, queueSchema });
      if (problem !== null) throw new Error(problem);
    }, rareCheckTimes),
    queue: createCachedRead(async () => assertQueueUsable(database, queueSchema), { okMs: 5_000, failureMs: 1_000 }),
    rights: createCachedRead(async () => assertRoleRights(database, { role: "worker", queueSchema }), rareCheckTimes),
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
