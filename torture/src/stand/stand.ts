import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileStore } from "@reports/core";
import { createFileStore } from "@reports/storage";
import { findFreePort, waitFor } from "@reports/testing";
import type { Sql } from "postgres";
import { openDatabase, type StandDatabase } from "./database.ts";
import { createInstance, type Instance } from "./instance.ts";
import { openStore, type StandStore, type StoreKind } from "./store.ts";

/** What is to be built up. */
export interface StandOptions {
  readonly store: StoreKind;
  readonly apis: number;
  readonly workers: number;
  /** Reports that a worker runs at once; default 2. */
  readonly concurrency?: number;
  /** Name of a mutation under which the workers run. */
  readonly mutate?: string | undefined;
  /** Further variables of API and worker. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Everything that a deployment has, as real processes, with a fault proxy in front of what is shared. */
export interface Stand extends AsyncDisposable {
  readonly folder: string;
  readonly database: StandDatabase;
  readonly sql: Sql;
  readonly store: StandStore;
  /** The store without faults, for looking at what lies in it. */
  readonly files: FileStore;
  readonly apis: Instance[];
  readonly workers: Instance[];
  readonly jwtSecret: string;
  /** One more process, not started. */
  addApi(environment?: Readonly<Record<string, string>>): Promise<Instance>;
  addWorker(environment?: Readonly<Record<string, string>>): Promise<Instance>;
}

/** More than any run of the harness asks for: limits have tests of their own. */
const unlimited = {
  START_LIMIT_PER_MINUTE: "0",
  UNFINISHED_REPORT_LIMIT: "0",
  READ_LIMIT_PER_MINUTE: "0",
};
const jwtSecret = "a secret of the torture harness and of nothing else";
const processes = new URL("../processes/", import.meta.url).pathname;

/** Starts Postgres, the store, API instances and workers, and waits until all are ready. */
export async function buildStand(options: StandOptions): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), "reports-torture-"));
  const database = await openDatabase();
  const store = await openStore(options.store, folder);
  const files = createFileStore(store.direct);
  // MinIO answers 503 for a moment after it said that it is ready.
  await waitFor(
    async () =>
      files.check().then(
        () => true,
        () => false,
      ),
    { what: "the store", timeoutMs: 60_000, intervalMs: 200 },
  );
  await mkdir(join(folder, "spool"));
  const shared = {
    PATH: process.env.PATH ?? "",
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
    ...options.environment,
  };
  const apis: Instance[] = [];
  const workers: Instance[] = [];

  async function add(
    kind: "api" | "worker",
    among: Instance[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Instance> {
    const port = String(await findFreePort());
    const name = `${kind}-${among.length + 1}`;
    const mutate = kind === "worker" ? options.mutate : undefined;
    const instance = createInstance({
      name,
      origin: `http://127.0.0.1:${port}`,
      logPath: join(folder, `${name}.log`),
      parameters: [
        "--conditions=@reports/source",
        ...(mutate === undefined ? [] : ["--import", join(processes, "mutate.ts")]),
        join(processes, `${kind}-main.ts`),
        ...(mutate === undefined ? [] : [mutate]),
      ],
      environment: { ...shared, [kind === "api" ? "PORT" : "WORKER_PORT"]: port, ...environment },
    });
    among.push(instance);
    return instance;
  }

  // An interrupted run leaves nothing running.
  const killAll = (): void => {
    for (const instance of [...apis, ...workers]) instance.kill();
    database.kill();
  };
  process.once("exit", killAll);

  const stand: Stand = {
    folder,
    database,
    sql: database.sql,
    store,
    files,
    apis,
    workers,
    jwtSecret,
    addApi: async (environment) => add("api", apis, environment),
    addWorker: async (environment) => add("worker", workers, environment),
    async [Symbol.asyncDispose]() {
      process.off("exit", killAll);
      await Promise.all([...apis, ...workers].map(async (instance) => instance.stop(20_000)));
      await store[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
  try {
    for (let number = 0; number < options.apis; number++) await stand.addApi();
    for (let number = 0; number < options.workers; number++) await stand.addWorker();
    for (const instance of [...apis, ...workers]) instance.start();
    await Promise.all([...apis, ...workers].map(async (instance) => instance.ready()));
    return stand;
  } catch (error) {
    await stand[Symbol.asyncDispose]();
    throw error;
  }
}
