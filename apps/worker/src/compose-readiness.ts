import { checkMigrations, checkQueue, checkRights, createWriteProbe, type Database } from "@reports/db";
import { remember, StartingError, type Check } from "@reports/runtime";
import type { HostWatch } from "./host/host-watch.ts";
import type { JobRunner } from "./jobs/job-runner.ts";
import type { WorkerHeartbeat } from "./maintenance/worker-heartbeat.ts";
import type { StoreWatch } from "./store/store-watch.ts";

/** What readiness looks at. */
export interface ReadinessDeps {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly queueSchema: string;
  readonly storeWatch: Pick<StoreWatch, "check">;
  readonly host: Pick<HostWatch, "checkOf">;
  readonly runner: Pick<JobRunner, "isRunning">;
  readonly heartbeat: Pick<WorkerHeartbeat, "ageMs">;
  readonly heartbeatGraceMs: number;
}

/** What rarely changes is looked at twice a minute, and each second while it is wrong. */
const seldom = { okMs: 30_000, failureMs: 1_000 };

/** The checks of a worker's readiness, all of which must pass. */
export function readinessChecks(deps: ReadinessDeps): Readonly<Record<string, Check>> {
  const { database, databaseUrl, queueSchema } = deps;
  return {
    database: async () => database.check(),
    writes: createWriteProbe(database),
    migrations: remember(async () => {
      const { problem } = await checkMigrations({ databaseUrl, queueSchema });
      if (problem !== null) throw new Error(problem);
    }, seldom),
    queue: remember(async () => checkQueue(database, queueSchema), { okMs: 5_000, failureMs: 1_000 }),
    rights: remember(async () => checkRights(database, { role: "worker", queueSchema }), seldom),
    storage: async (signal) => {
      await deps.storeWatch.check(signal);
      await deps.host.checkOf("store")(signal);
    },
    spool: deps.host.checkOf("spool"),
    renderers: deps.host.checkOf("renderers"),
    runner: async () => {
      if (!deps.runner.isRunning()) throw new StartingError("The worker takes no jobs.");
    },
    heartbeat: async () => {
      const ageMs = deps.heartbeat.ageMs();
      if (ageMs === null) throw new StartingError("The worker's heartbeat has not reached the database yet.");
      if (ageMs > deps.heartbeatGraceMs) throw new Error("The worker's heartbeat does not reach the database.");
    },
  };
}
