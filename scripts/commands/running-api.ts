import { spawn, type ChildProcess } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describeInventory } from "@reports/commands";
import { copyInventory, migrateDatabase } from "@reports/db";
import { findFreePort, generateDemoInventory, startPostgres, throwAwaySettings, waitFor } from "@reports/testing";
import { listensAt } from "./listens-at.ts";

const mainOf = (app: "api" | "worker"): string =>
  fileURLToPath(new URL(`../../apps/${app}/src/main.ts`, import.meta.url));

/** The API on a database of its own, for commands that try it from outside. */
export interface RunningApi extends AsyncDisposable {
  readonly url: string;
  readonly databaseUrl: string;
  /** A bearer token with every authority, good for a day. */
  readonly token: string;
  /** The same of somebody else. */
  tokenOf(subject: string): string;
  readonly pid: number;
  /** Ends the API in order and starts it again at the same address; with further variables where they are given, for this start alone. */
  restart(environment?: Readonly<Record<string, string>>): Promise<void>;
  /** Starts another API on the same database and store, at an address of its own; disposing of the whole ends it too. */
  startAnother(environment?: Readonly<Record<string, string>>): Promise<Pick<RunningApi, "url" | "restart">>;
  /** Ends the worker in order: reports wait from then on. */
  stopWorker(): Promise<void>;
  /** Starts a worker again. */
  startWorker(): Promise<void>;
  /** Starts another worker on the same database and store; disposing of the whole ends it too. */
  startAnotherWorker(environment?: Readonly<Record<string, string>>): Promise<{ stop(): Promise<void> }>;
  /** Null where no worker was wanted. */
  readonly workerPid: number | null;
}

/** Starts Postgres with demo data and the API on it, and a worker where one is wanted, on ports that are free. Disposing ends both and removes what they wrote. */
export async function startApi(options: {
  readonly proxies: number;
  readonly domains: number;
  /** Whether reports are drawn; without a worker they stay QUEUED. */
  readonly worker?: boolean;
  readonly onProgress?: (sentence: string) => void;
  /** Variables of both; of some the value is the API's own address. */
  readonly environment?:
    | Readonly<Record<string, string>>
    | ((url: string) => Readonly<Record<string, string>>)
    | undefined;
}): Promise<RunningApi> {
  const folder = await mkdtemp(join(tmpdir(), "reports-api-"));
  const jwtSecret = randomBytes(32).toString("base64url");
  options.onProgress?.("Starting Postgres.");
  const postgres = await startPostgres({
    settings: { ...throwAwaySettings, shared_buffers: "256MB", max_wal_size: "4GB" },
  });
  const children: ChildProcess[] = [];
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => children.forEach((child) => child.kill(signal)));
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(end));
    await postgres.stop("fast");
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await migrateDatabase({ databaseUrl: postgres.url });
    options.onProgress?.(`Loading ${describeInventory(options)}.`);
    await copyInventory({ databaseUrl: postgres.url, ...generateDemoInventory(options) });
    const [port, workerPort] = [await findFreePort(), await findFreePort()];
    const url = `http://127.0.0.1:${port}`;
    const common = typeof options.environment === "function" ? options.environment(url) : options.environment;
    const run = (app: "api" | "worker", environment: Readonly<Record<string, string>> = {}): ChildProcess => {
      options.onProgress?.(`Starting the ${app === "api" ? "API" : "worker"}.`);
      const started = spawn(process.execPath, ["--conditions=@reports/source", mainOf(app)], {
        env: {
          PATH: process.env["PATH"],
          DATABASE_URL: postgres.url,
          STORAGE_DIR: join(folder, "files"),
          SPOOL_DIR: join(folder, "spool"),
          AUTH_JWT_SECRET: jwtSecret,
          HOST: "127.0.0.1",
          PORT: String(port),
          WORKER_PORT: String(workerPort),
          LOG_LEVEL: "warn",
          ...compileCache(),
          ...common,
          ...environment,
        },
        stdio: ["ignore", "pipe", "inherit"],
        // A session of its own, as each backend of Postgres has one: Linux shares processors between sessions first (sched_autogroup), so
        // that beside the commands' own processes in one session the API would get a fraction of what a service of its own gets.
        detached: true,
      });
      children.push(started);
      showWithoutAudit(started.stdout);
      return started;
    };
    // The worker first: it is who ties the new store to the new database.
    let worker: ChildProcess | null = null;
    const startWorker = async (): Promise<void> => {
      worker = run("worker");
      await untilReady(`http://127.0.0.1:${workerPort}`, worker);
    };
    if (options.worker === true) await startWorker();
    let child = run("api");
    await untilReady(url, child);
    return {
      url,
      databaseUrl: postgres.url,
      token: signToken(jwtSecret, "command"),
      tokenOf: (subject) => signToken(jwtSecret, subject),
      get pid() {
        return child.pid!;
      },
      async restart(environment) {
        await end(child);
        child = run("api", environment);
        await untilReady(url, child);
      },
      async startAnother(environment = {}) {
        const ownPort = String(await findFreePort());
        const ownUrl = `http://127.0.0.1:${ownPort}`;
        let other = run("api", { ...environment, PORT: ownPort });
        await untilReady(ownUrl, other);
        return {
          url: ownUrl,
          async restart(changed) {
            await end(other);
            other = run("api", { ...environment, ...changed, PORT: ownPort });
            await untilReady(ownUrl, other);
          },
        };
      },
      startWorker,
      async stopWorker() {
        if (worker !== null) await end(worker);
        worker = null;
      },
      async startAnotherWorker(environment = {}) {
        const ownPort = String(await findFreePort());
        const other = run("worker", { ...environment, WORKER_PORT: ownPort });
        await untilReady(`http://127.0.0.1:${ownPort}`, other);
        return { stop: () => end(other) };
      },
      get workerPid() {
        return worker?.pid ?? null;
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where Node keeps what it has compiled, where that was said to this process: of the worker's renderers, too. */
function compileCache(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE, REPORT_TYPES_ENV_PREFIX: "NODE_COMPILE_" } : {};
}

/** The log without the audit lines, which are one a request here and of no use. */
function showWithoutAudit(log: Readable): void {
  createInterface({ input: log }).on("line", (line) => {
    if (!line.includes('"audit":true')) process.stderr.write(`${line}\n`);
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode} while it started.`);
      const isAnswered = await fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      // Between finding the port free and listening there, somebody else may have taken it: then it ends, and that one answers.
      return isAnswered && (await listensAt(child.pid!, Number(new URL(url).port)));
    },
    { what: `${url} to be ready`, timeoutMs: 120_000 },
  );
}

function signToken(secret: string, subject: string): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const authorities = [
    "REPORT_PROXY",
    "REPORT_PROXY_DOMAIN",
    "REGISTRY_READ",
    "REGISTRY_WRITE",
    "REPORTS_ADMIN",
    "WEBHOOKS_WRITE",
  ];
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ sub: subject, iat: now, exp: now + 86_400, authorities })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
