import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStore } from "@reports/storage";
import {
  thisCheckout,
  startStand,
  waitFor,
  type App,
  type Environment,
  type Program,
  type StandProcess,
} from "@reports/testing";
import { failpointsVariable } from "../failpoints.ts";
import { openDatabase } from "./database.ts";
import { createFakedClock, type FakedClock } from "./faked-clock.ts";
import { laneWorkerName } from "./lanes.ts";
import { reconcileVariable, textOf, type ReconcileTimes } from "./reconcile-times.ts";
import { openShards } from "./shards.ts";
import { openStore, type StoreKind } from "./store.ts";

export interface StandOptions {
  readonly store: StoreKind;
  readonly apis: number;
  readonly workers: number;
  /** Slots per worker. Default: 2. */
  readonly concurrency?: number;
  /** Whether an additional worker serves the lane `bulk`, and the others do not. */
  readonly withLaneWorker?: boolean;
  /** Times of the reconciler. Default: as in production, longer than a run. */
  readonly reconcile?: ReconcileTimes;
  readonly mutate?: string | undefined;
  /** Installed checkout of another version, which the database and the first processes have. */
  readonly old?: string | undefined;
  /** Whether workers have failpoints. A file in `failpointsFolder` arms one. */
  readonly withFailpoints?: boolean;
  /** Clock offsets of the workers in seconds, assigned in turn. Undefined: no clock is faked. */
  readonly clockOffsetsSeconds?: readonly number[] | undefined;
  readonly withShards?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A deployment of real processes for a scenario, with fault proxies in front of Postgres and MinIO. */
export type Stand = Awaited<ReturnType<typeof buildStand>>;

/** Settings that switch off limits, which have their own tests. */
const limitsOff = {
  START_LIMIT_PER_MINUTE: "0",
  UNFINISHED_REPORT_LIMIT: "0",
  READ_LIMIT_PER_MINUTE: "0",
};

/** Starts Postgres, the store, API instances and workers, and waits until all are ready. */
export async function buildStand(options: StandOptions) {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "reports-torture-"));
  const database = parts.use(
    await openDatabase({ checkout: options.old, hasFakedClock: options.clockOffsetsSeconds !== undefined }),
  );
  const shards = options.withShards === true ? parts.use(await openShards(database)) : null;
  const store = parts.use(await openStore(options.store, folder));
  const killServers = (): void => {
    shards?.kill();
    database.kill();
  };
  // An interrupted run disposes of nothing, so the servers are ended at the exit of the process.
  process.once("exit", killServers);
  parts.defer(() => void process.off("exit", killServers));
  const files = await createFileStore(store.direct);
  // MinIO answers 503 for a moment after it has reported ready.
  await waitFor(
    async () =>
      files.create().then(
        () => true,
        () => false,
      ),
    { what: "the store", timeoutMs: 60_000, intervalMs: 200 },
  );
  const failpointsFolder = join(folder, "failpoints");
  await mkdir(failpointsFolder);
  const { clockOffsetsSeconds = [] } = options;
  const clocks = new Map<string, FakedClock>();

  function addClock(worker: string): FakedClock["environment"] | null {
    if (clockOffsetsSeconds.length === 0) return null;
    const offset = clockOffsetsSeconds[clocks.size % clockOffsetsSeconds.length]!;
    const clock = createFakedClock(join(folder, `${worker}.clock`), offset);
    clocks.set(worker, clock);
    return clock.environment;
  }

  function programOf(app: App, name: string, checkout = thisCheckout): Program {
    const processes = join(checkout, "torture/src/processes");
    const { mutate } = options;
    const withFailpoints = app === "worker" && options.withFailpoints === true;
    return {
      args: [
        "--conditions=@reports/source",
        // The edits fit only the sources of this version.
        ...(checkout === thisCheckout ? ["--import", join(processes, "edit-sources.ts")] : []),
        ...(mutate === undefined ? [] : ["--import", join(processes, "mutate.ts")]),
        ...(withFailpoints ? ["--import", join(processes, "install-failpoints.ts")] : []),
        join(processes, `${app}-main.ts`),
        ...(mutate === undefined ? [] : [mutate]),
      ],
      environment: {
        ...(withFailpoints ? { [failpointsVariable]: failpointsFolder } : {}),
        ...(app === "worker" ? addClock(name) : null),
      },
    };
  }

  const service = parts.use(
    await startStand({
      database: { url: database.proxiedUrl },
      apis: options.apis,
      workers: options.workers,
      folder,
      logFiles: true,
      supervised: { retriesStart: true },
      program: (app, name) => programOf(app, name, options.old),
      environment: {
        // Processes start often, and compiling takes a third of a start.
        NODE_COMPILE_CACHE: join(tmpdir(), "reports-torture-compiled"),
        LOG_LEVEL: "info",
        REPORT_RUN_TIME_LIMIT_MINUTES: "1",
        SHUTDOWN_GRACE_SECONDS: "5",
        WORKER_CONCURRENCY: String(options.concurrency ?? 2),
        ...limitsOff,
        ...store.environment,
        ...(options.reconcile === undefined ? {} : { [reconcileVariable]: textOf(options.reconcile) }),
        ...(options.withLaneWorker === true ? { WORKER_LANES: "quick,suspect" } : {}),
        ...shards?.environment,
        ...options.environment,
      },
    }),
  );
  if (options.withLaneWorker === true) {
    await service.addWorker({
      name: laneWorkerName,
      program: programOf("worker", laneWorkerName, options.old),
      environment: { WORKER_LANES: "bulk", WORKER_CONCURRENCY: "1" },
    });
  }
  const add = async (app: App, environment: Environment = {}, name?: string): Promise<StandProcess> => {
    const among = app === "api" ? service.apis : service.workers;
    const chosen = name ?? `${app}-${among.length + 1}`;
    const declared = { name: chosen, environment, program: programOf(app, chosen), start: false };
    return app === "api" ? service.addApi(declared) : service.addWorker(declared);
  };
  const owned = parts.move();
  return {
    ...service,
    failpointsFolder,
    database,
    sql: database.sql,
    store,
    shards,
    /** File store that bypasses the faults, for the harness. */
    files,
    /** Fake clocks by worker name. */
    clocks,
    clockOffsetsSeconds,
    /** Declares an additional process without starting it. */
    addApi: async (environment?: Environment, name?: string) => add("api", environment, name),
    addWorker: async (environment?: Environment, name?: string) => add("worker", environment, name),
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}
