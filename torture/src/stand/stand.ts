import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileStore } from "@reports/core";
import { createFileStore } from "@reports/storage";
import { findFreePort, waitFor } from "@reports/testing";
import type { Sql } from "postgres";
import { failpointsVariable } from "../failpoints.ts";
import { openDatabase, type StandDatabase } from "./database.ts";
import { createFakedClock, type FakedClock } from "./faked-clock.ts";
import { createInstance, type Instance } from "./instance.ts";
import { laneWorkerName } from "./lanes.ts";
import { reconcileVariable, textOf, type ReconcileTimes } from "./short-times.ts";
import { openShards, type StandShards } from "./shards.ts";
import { openStore, type StandStore, type StoreKind } from "./store.ts";

/** What is to be built up. */
export interface StandOptions {
  readonly store: StoreKind;
  readonly apis: number;
  readonly workers: number;
  /** Reports that a worker runs at once; default 2. */
  readonly concurrency?: number;
  /** Whether one more worker alone serves the lane of long reports. */
  readonly withLaneWorker?: boolean;
  /** Left out: as often as in production, which is never within a run. */
  readonly reconcile?: ReconcileTimes;
  /** Name of a mutation under which API and workers run. */
  readonly mutate?: string | undefined;
  /** Another checkout, with its packages installed: the database and the processes that are there at the beginning are of its version. */
  readonly old?: string | undefined;
  /** Whether the workers come by failpoints; they are armed in `failpointsFolder`. */
  readonly withFailpoints?: boolean;
  /**
   * How far the clocks of the workers and of their renderers are ahead, in turn. With it their clocks and that of Postgres can be set; without
   * it they are the machine's.
   */
  readonly clockOffsetsSeconds?: readonly number[] | undefined;
  /** Whether there is a source whose rows are partly on a shard. */
  readonly withShards?: boolean;
  /** Further variables of API and worker. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Everything that a deployment has, as real processes, with a fault proxy in front of what is shared. */
export interface Stand extends AsyncDisposable {
  readonly folder: string;
  readonly failpointsFolder: string;
  readonly database: StandDatabase;
  readonly sql: Sql;
  readonly store: StandStore;
  /** Null without a sharded source. */
  readonly shards: StandShards | null;
  /** The store without faults, for looking at what lies in it. */
  readonly files: FileStore;
  readonly apis: Instance[];
  readonly workers: Instance[];
  /** Clocks by the names of their workers, and their possible settings. */
  readonly clocks: ReadonlyMap<string, FakedClock>;
  readonly clockOffsetsSeconds: readonly number[];
  readonly jwtSecret: string;
  /** One more process, not started. */
  addApi(environment?: Readonly<Record<string, string>>, checkout?: string): Promise<Instance>;
  addWorker(environment?: Readonly<Record<string, string>>, checkout?: string, name?: string): Promise<Instance>;
}

/** More than any run of the harness asks for: limits have tests of their own. */
const unlimited = {
  START_LIMIT_PER_MINUTE: "0",
  UNFINISHED_REPORT_LIMIT: "0",
  READ_LIMIT_PER_MINUTE: "0",
};
const jwtSecret = "a secret of the torture harness and of nothing else";
const ownCheckout = fileURLToPath(new URL("../../../", import.meta.url));

/** Starts Postgres, the store, API instances and workers, and waits until all are ready. */
export async function buildStand(options: StandOptions): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), "reports-torture-"));
  const database = await openDatabase({
    checkout: options.old,
    hasFakedClock: options.clockOffsetsSeconds !== undefined,
  });
  const shards = options.withShards === true ? await openShards(database) : null;
  const store = await openStore(options.store, folder);
  const files = await createFileStore(store.direct);
  // MinIO answers 503 for a moment after it said that it is ready.
  await waitFor(
    async () =>
      files.create().then(
        () => true,
        () => false,
      ),
    { what: "the store", timeoutMs: 60_000, intervalMs: 200 },
  );
  await mkdir(join(folder, "spool"));
  const failpointsFolder = join(folder, "failpoints");
  await mkdir(failpointsFolder);
  const shared = {
    PATH: process.env.PATH ?? "",
    // Processes start all the time, and compiling is a third of that.
    NODE_COMPILE_CACHE: join(tmpdir(), "reports-torture-compiled"),
    HOST: "127.0.0.1",
    LOG_LEVEL: "info",
    DATABASE_URL: database.proxiedUrl,
    AUTH_JWT_SECRET: jwtSecret,
    SPOOL_DIR: join(folder, "spool"),
    REPORT_RUN_TIME_LIMIT_MINUTES: "1",
    SHUTDOWN_GRACE_SECONDS: "5",
    WORKER_CONCURRENCY: String(options.concurrency ?? 2),
    ...unlimited,
    ...store.environment,
    ...(options.reconcile === undefined ? {} : { [reconcileVariable]: textOf(options.reconcile) }),
    ...(options.withLaneWorker === true ? { WORKER_LANES: "quick,suspect" } : {}),
    ...shards?.environment,
    ...options.environment,
  };
  const apis: Instance[] = [];
  const workers: Instance[] = [];
  const clocks = new Map<string, FakedClock>();
  const { clockOffsetsSeconds = [] } = options;

  function addClock(worker: string): FakedClock["environment"] | null {
    if (clockOffsetsSeconds.length === 0) return null;
    const offset = clockOffsetsSeconds[clocks.size % clockOffsetsSeconds.length]!;
    const clock = createFakedClock(join(folder, `${worker}.clock`), offset);
    clocks.set(worker, clock);
    return clock.environment;
  }

  async function add(
    kind: "api" | "worker",
    among: Instance[],
    environment: Readonly<Record<string, string>> = {},
    checkout = ownCheckout,
    name = `${kind}-${among.length + 1}`,
  ): Promise<Instance> {
    const processes = join(checkout, "torture/src/processes");
    const port = String(await findFreePort());
    const { mutate } = options;
    const withFailpoints = kind === "worker" && options.withFailpoints === true;
    const instance = createInstance({
      name,
      origin: `http://127.0.0.1:${port}`,
      logPath: join(folder, `${name}.log`),
      parameters: [
        "--conditions=@reports/source",
        // An older version has other sources.
        ...(checkout === ownCheckout ? ["--import", join(processes, "edit-sources.ts")] : []),
        ...(mutate === undefined ? [] : ["--import", join(processes, "mutate.ts")]),
        ...(withFailpoints ? ["--import", join(processes, "install-failpoints.ts")] : []),
        join(processes, `${kind}-main.ts`),
        ...(mutate === undefined ? [] : [mutate]),
      ],
      environment: {
        ...shared,
        [kind === "api" ? "PORT" : "WORKER_PORT"]: port,
        ...(withFailpoints ? { [failpointsVariable]: failpointsFolder } : {}),
        ...(kind === "worker" ? addClock(name) : null),
        ...environment,
      },
    });
    among.push(instance);
    return instance;
  }

  // An interrupted run leaves nothing running.
  const killAll = (): void => {
    for (const instance of [...apis, ...workers]) instance.kill();
    shards?.kill();
    database.kill();
  };
  process.once("exit", killAll);

  const stand: Stand = {
    folder,
    failpointsFolder,
    database,
    sql: database.sql,
    store,
    shards,
    files,
    apis,
    workers,
    clocks,
    clockOffsetsSeconds,
    jwtSecret,
    addApi: async (...how) => add("api", apis, ...how),
    addWorker: async (...how) => add("worker", workers, ...how),
    async [Symbol.asyncDispose]() {
      process.off("exit", killAll);
      await Promise.all([...apis, ...workers].map(async (instance) => instance.stop(20_000)));
      await store[Symbol.asyncDispose]();
      await shards?.[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
  try {
    for (let number = 0; number < options.apis; number++) await stand.addApi({}, options.old);
    for (let number = 0; number < options.workers; number++) await stand.addWorker({}, options.old);
    if (options.withLaneWorker === true) {
      await add("worker", workers, { WORKER_LANES: "bulk", WORKER_CONCURRENCY: "1" }, options.old, laneWorkerName);
    }
    for (const instance of [...apis, ...workers]) instance.start();
    await Promise.all([...apis, ...workers].map(async (instance) => instance.ready()));
    return stand;
  } catch (error) {
    await stand[Symbol.asyncDispose]();
    throw error;
  }
}
