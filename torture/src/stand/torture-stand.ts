import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStore } from "@reports/storage";
import {
  checkoutFolder,
  isFulfilled,
  killOnExit,
  startStand,
  waitFor,
  type AppName,
  type ProcessEnvironment,
  type ProgramSpec,
  type StandProcess,
} from "@reports/testing";
import { failpointsVariable } from "../failpoints.ts";
import { startTortureDatabase } from "./database.ts";
import { createFakedClock, type FakedClock } from "./faked-clock.ts";
import { bulkLaneWorkerName } from "./lanes.ts";
import { createMutationArgument } from "./mutation-import.ts";
import { reconcileTimesVariable, formatReconcileTimes, type ReconcileTimes } from "./reconcile-times.ts";
import { startTortureShard } from "./shards.ts";
import { startTortureStore, type TortureStoreKind } from "./store.ts";

export interface TortureStandOptions {
  readonly store: TortureStoreKind;
  readonly apis: number;
  readonly workers: number;
  readonly concurrency?: number;
  /** Whether the lane `bulk` has a separate worker. The other workers then do not serve it. */
  readonly withLaneWorker?: boolean;
  /** Times of the reconciler. By default those of production, which are longer than a run. */
  readonly reconcile?: ReconcileTimes;
  readonly mutate?: string | undefined;
  /** Checkout of an older version, which must be installed. It migrates the database and provides the first processes. */
  readonly old?: string | undefined;
  /** Whether API instances and workers have failpoints. A file in `failpointsFolder` arms a failpoint for its next hit. */
  readonly withFailpoints?: boolean;
  /** Offsets of the workers' clocks in seconds, which the workers get in turn. If undefined, no clock is faked. */
  readonly clockOffsetsSeconds?: readonly number[] | undefined;
  readonly withShards?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

export type TortureStand = Awaited<ReturnType<typeof startTortureStand>>;

/** Settings that switch limits off, because the load of a run would exceed them. Other tests check the limits. */
const limitsOff = {
  START_LIMIT_PER_MINUTE: "0",
  UNFINISHED_REPORT_LIMIT: "0",
  READ_LIMIT_PER_MINUTE: "0",
};

export async function startTortureStand(options: TortureStandOptions) {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "reports-torture-"));
  const hasFakedClock = options.clockOffsetsSeconds !== undefined;
  const database = parts.use(await startTortureDatabase(options.old, hasFakedClock));
  const shards = options.withShards === true ? parts.use(await startTortureShard(database)) : null;
  const store = parts.use(await startTortureStore(options.store, folder));
  const kill = (): void => {
    shards?.kill();
    database.kill();
  };
  // An interrupted run disposes of nothing. This exit handler ends its servers.
  parts.defer(killOnExit({ kill }));
  const files = await createFileStore(store.direct);
  // After MinIO has reported that it is ready, it still answers 503 for a moment.
  const limits = { timeoutMs: 60_000, intervalMs: 200 };
  await waitFor(async () => isFulfilled(files.create()), { what: "the store", ...limits });
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

  function programOf(app: AppName, name: string, checkout = checkoutFolder): ProgramSpec {
    const processes = join(checkout, "torture/src/processes");
    const { mutate, withFailpoints = false } = options;
    return {
      args: [
        "--conditions=@reports/source",
        // edit-sources.ts edits sources of this version. An older checkout does not contain the texts of its edits.
        ...(checkout === checkoutFolder ? ["--import", join(processes, "edit-sources.ts")] : []),
        ...(mutate === undefined ? [] : [createMutationArgument(processes, mutate, folder)]),
        ...(withFailpoints ? ["--import", join(processes, "install-failpoints.ts")] : []),
        join(processes, `${app}-main.ts`),
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
        // Compiled sources are kept, because faults start processes often, and compiling takes a third of a start.
        NODE_COMPILE_CACHE: join(tmpdir(), "reports-torture-compiled"),
        LOG_LEVEL: "info",
        REPORT_RUN_TIME_LIMIT_MINUTES: "1",
        SHUTDOWN_GRACE_SECONDS: "5",
        WORKER_CONCURRENCY: String(options.concurrency ?? 2),
        ...limitsOff,
        ...store.environment,
        ...(options.reconcile === undefined
          ? {}
          : { [reconcileTimesVariable]: formatReconcileTimes(options.reconcile) }),
        ...(options.withLaneWorker === true ? { WORKER_LANES: "quick,suspect" } : {}),
        ...shards?.environment,
        ...options.environment,
      },
    }),
  );
  if (options.withLaneWorker === true) {
    await service.addWorker({
      name: bulkLaneWorkerName,
      program: programOf("worker", bulkLaneWorkerName, options.old),
      environment: { WORKER_LANES: "bulk", WORKER_CONCURRENCY: "1" },
    });
  }
  const add = async (app: AppName, environment: ProcessEnvironment = {}, name?: string): Promise<StandProcess> => {
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
    retryingSql: database.retryingSql,
    store,
    shards,
    files,
    clocks,
    clockOffsetsSeconds,
    /** Declares an additional API instance, which the caller starts. */
    addApi: async (environment?: ProcessEnvironment, name?: string) => add("api", environment, name),
    addWorker: async (environment?: ProcessEnvironment, name?: string) => add("worker", environment, name),
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}
