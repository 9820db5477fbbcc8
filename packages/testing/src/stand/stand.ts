import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../postgres/free-port.ts";
import { openStandDatabase, type StandDatabaseOptions } from "./stand-database.ts";
import { readSourceStartVariables } from "./source-start-variables.ts";
import { openStandStore, type StandStoreKind } from "./stand-store.ts";
import { appProgramOf, type AppName, type ProgramSpec } from "./stand-programs.ts";
import type { ProcessEnvironment, StandProcess, ProcessRestartOptions } from "./stand-process.ts";
import { createUnstartedProcess } from "./start-process.ts";
import { signToken } from "./token.ts";

export interface StandOptions {
  readonly database: StandDatabaseOptions;
  /** Kind of file store to start. Default: none; the option `environment` must then configure a store. */
  readonly store?: StandStoreKind;
  readonly apis?: number;
  readonly workers?: number;
  /** Variables of every API and worker. A function receives the origin of the first API, for example for `PUBLIC_URL`. */
  readonly environment?: ProcessEnvironment | ((origin: string) => ProcessEnvironment);
  program?(app: AppName, name: string): ProgramSpec;
  /** Folder for files, spool and logs, which is kept at the end. Default: a temporary folder, which is removed at the end. */
  readonly folder?: string;
  readonly logFiles?: boolean;
  readonly supervised?: ProcessRestartOptions;
  onLine?(name: string, line: string): void;
}

export interface AddProcessOptions {
  readonly name?: string;
  readonly environment?: ProcessEnvironment;
  readonly program?: ProgramSpec;
  readonly start?: boolean;
}

/** A test deployment of real processes. Disposing stops the processes, then the store, then Postgres, and removes the folder. */
export interface Stand extends AsyncDisposable {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly environment: ProcessEnvironment;
  readonly origin: string;
  readonly apis: readonly StandProcess[];
  readonly workers: readonly StandProcess[];
  readonly jwtSecret: string;
  /** Returns a bearer token. By default, its subject is `stand`, and it has every authority. */
  token(subject?: string, authorities?: readonly string[]): string;
  addApi(options?: AddProcessOptions): Promise<StandProcess>;
  addWorker(options?: AddProcessOptions): Promise<StandProcess>;
}

/**
 * Starts Postgres, a file store, and the given numbers of APIs and workers. Resolves when all are ready.
 *
 * ```ts
 * await using stand = await startStand({
 *   database: { prepare: createDemoDataLoader({ proxies: 60, domains: 300 }) },
 *   store: "folder",
 *   apis: 2,
 *   workers: 1,
 *   environment: { READ_LIMIT_PER_MINUTE: "0" },
 * });
 * await using balancer = await startBalancer("nginx", stand.apis);
 * await fetch(`${balancer.url}/v1/proxies`, { headers: { authorization: `Bearer ${stand.token()}` } });
 * await stand.workers[0].stop();
 * ```
 *
 * Tests pass a cloned database as `database: { url: clone.url }`. To inject faults, pass the address of `createFaultProxy` as DATABASE_URL or
 * MINIO_ENDPOINT. `program` can select an older checkout, a deployed folder, or a main module of a test.
 */
export async function startStand(options: StandOptions): Promise<Stand> {
  await using parts = new AsyncDisposableStack();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "reports-stand-")));
  if (options.folder === undefined) parts.defer(async () => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "spool"), { recursive: true });
  const database = parts.use(await openStandDatabase(options.database));
  const store = options.store === undefined ? null : parts.use(await openStandStore(options.store, folder));
  const jwtSecret = randomBytes(32).toString("base64url");
  const firstPort = await findFreePort();
  const firstOrigin = `http://127.0.0.1:${firstPort}`;
  const given = typeof options.environment === "function" ? options.environment(firstOrigin) : options.environment;
  const environment: ProcessEnvironment = {
    HOST: "127.0.0.1",
    DATABASE_URL: database.url,
    SPOOL_DIR: join(folder, "spool"),
    AUTH_JWT_SECRET: jwtSecret,
    ...quickStartEnvironment(),
    ...store?.environment,
    ...given,
  };
  const processes: Record<AppName, StandProcess[]> = { api: [], worker: [] };

  async function declare(app: AppName, added: AddProcessOptions = {}): Promise<StandProcess> {
    const among = processes[app];
    const name = added.name ?? `${app}-${among.length + 1}`;
    const port = app === "api" && among.length === 0 ? firstPort : await findFreePort();
    const program = added.program ?? options.program?.(app, name) ?? appProgramOf(app);
    const declared = createUnstartedProcess({
      name,
      args: program.args,
      cwd: program.cwd,
      origin: `http://127.0.0.1:${port}`,
      environment: {
        ...environment,
        ...program.environment,
        [app === "api" ? "PORT" : "WORKER_PORT"]: String(port),
        ...added.environment,
      },
      ...(options.logFiles === true ? { logPath: join(folder, `${name}.log`) } : {}),
      ...(options.supervised === undefined ? {} : { supervised: options.supervised }),
      onLine: (line) => options.onLine?.(name, line),
    });
    among.push(declared);
    return declared;
  }

  async function add(app: AppName, added?: AddProcessOptions): Promise<StandProcess> {
    const declared = await declare(app, added);
    if (added?.start !== false) await startAll([declared]);
    return declared;
  }

  parts.defer(async () => {
    await Promise.all([...processes.api, ...processes.worker].map(async (each) => each.stop()));
  });
  for (let number = 0; number < (options.workers ?? 0); number++) await declare("worker");
  for (let number = 0; number < (options.apis ?? 0); number++) await declare("api");
  await startAll([...processes.worker, ...processes.api]);
  const owned = parts.move();
  return {
    folder,
    databaseUrl: database.url,
    environment,
    origin: firstOrigin,
    apis: processes.api,
    workers: processes.worker,
    jwtSecret,
    token: (subject = "stand", authorities) =>
      signToken({ secret: jwtSecret, subject, ...(authorities === undefined ? {} : { authorities }) }),
    addApi: async (added) => add("api", added),
    addWorker: async (added) => add("worker", added),
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}

async function startAll(processes: readonly StandProcess[]): Promise<void> {
  for (const each of processes) each.start();
  await Promise.all(processes.map(async (each) => each.ready()));
}

/** The variables that shorten the start of APIs and workers in tests. REPORT_TYPES_ENV_PREFIX passes them on to the renderers. */
function quickStartEnvironment(): ProcessEnvironment {
  return process.env["NODE_COMPILE_CACHE"] ? { ...readSourceStartVariables(), REPORT_TYPES_ENV_PREFIX: "NODE_" } : {};
}
